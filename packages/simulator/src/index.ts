// Clients and their load
export { arrive, type OpenLoad } from './clients/arrivals.js'
export type { Load } from './clients/load.js'
export type { LoadPlan, LoadPoint } from './clients/load-plan.js'
export type { WorkClass } from './clients/mix.js'
export type { TenantOptions } from './clients/tenants.js'
export type { TraceLoad } from './clients/trace.js'
export type { ClosedLoad } from './clients/users.js'
// Controllers
export type { CallKind, Controller, ControllerSetting, ObservedLimiter, Truth } from './controllers/controller.js'
export { oracle } from './controllers/oracle.js'
export { fixed, knee, none, seed } from './controllers/ours.js'
export { peers } from './controllers/peers/peers.js'
export { type LimitAlgorithm, type Sample, SampledLimiter } from './controllers/sampled-limiter.js'
// What came of it
export { Recording } from './metrics/recording.js'
export { type Statistics, statisticsOf } from './metrics/statistics.js'
// Worlds
export { type Judged, type Judgement, judge } from './scenario/judge.js'
export { play } from './scenario/play.js'
export type { Fault, Phase, Scenario, Strike, Target } from './scenario/scenario.js'
export { scenarioOf } from './scenario/scenario-of.js'
export { scenariosFolder } from './scenarios-folder.js'
// Scores over seeds
export { type ControllerChoice, controllerOf, controllers } from './score/choice.js'
export {
  type Compared,
  type CompareRequest,
  chooserOf,
  compare,
  type Entrant,
  type Entry,
  labelOf,
  playsOf,
  tunedEntrants,
} from './score/compare.js'
export { type Interval, intervalOf, pairedDifference } from './score/interval.js'
export { nearness } from './score/nearness.js'
export { type Played, type Player, type PlayTask, playTask } from './score/played.js'
export { type Score, type ScoredTarget, scoreOf } from './score/score.js'
export { FIRST_REPORT_SEED, FIRST_TUNING_SEED, SEEDS, seedsFrom } from './score/seeds.js'
export { type TimelinePoint, timelineOf } from './score/timeline.js'
export { type Parameters, type Tunable, tunables } from './score/tunable.js'
export { World } from './world/world.js'
