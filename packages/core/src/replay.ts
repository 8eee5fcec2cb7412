// `@sluice/core/replay`: the adaptive limit over a recorded trace.
export { LimitReplay, type LimitReplayOptions } from './limit/replay/limit-replay.js'
export type {
  Backoff,
  BackoffAsk,
  ReplayPoint,
  ReplayResult,
  ReplaySummary,
  ReplayWindow,
} from './limit/replay/replay-result.js'
export { isSample, type ReplaySample } from './limit/replay/replay-sample.js'
