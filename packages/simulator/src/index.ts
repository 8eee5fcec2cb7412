// Clients and their load
export { arrive, type LoadPoint, type OpenLoad } from './clients/arrivals.js'
// Controllers
export type { Controller, ControllerSetting, ObservedLimiter, Truth } from './controllers/controller.js'
export { oracle } from './controllers/oracle.js'
export { fixed, none, seed } from './controllers/ours.js'
export { peers } from './controllers/peers/peers.js'
export { type LimitAlgorithm, type Sample, SampledLimiter } from './controllers/sampled-limiter.js'
// What came of it
export { Recording } from './metrics/recording.js'
export { type Statistics, statisticsOf } from './metrics/statistics.js'
// Worlds
export { type Judged, type Judgement, judge } from './scenario/judge.js'
export { play } from './scenario/play.js'
export type { Fault, Phase, Scenario, Target, WorkClass } from './scenario/scenario.js'
export { scenarioOf } from './scenario/scenario-of.js'
export { World } from './world/world.js'
