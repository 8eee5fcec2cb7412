// What may wait to be written
export {
  type Backlog,
  type Bound,
  Bounds,
  type BoundsOptions,
  type BoundsVerdict,
  type Load,
  type SourceBounds,
  type Waiting,
} from './bounds/bounds.js'
// The breaker
export type { BreakerReason, NodeHealth, SavedBreaker } from './breaker/breaker.js'
export { type BreakerReading, KeyedBreaker } from './breaker/keyed-breaker.js'
export type { KeyedBreakerOptions } from './breaker/options.js'
export { DrainRate, type DrainRateOptions } from './drain-rate.js'
// Gathering
export { type Flush, type GatheredEvent, Gatherer, type GathererOptions } from './gather/gatherer.js'
// The temporal limit
export { SaturationClock, type SaturationClockOptions, type SavedSaturation } from './limit/saturation-clock.js'
export {
  type Admission,
  type SavedTemporalLimit,
  TemporalLimit,
  type TemporalLimitOptions,
} from './limit/temporal-limit.js'
// Notices
export { type Notice, Notices, type NoticesOptions, type SourceState } from './notices/notices.js'
// Pipeline
export type { Accepted, AcceptOptions, BatchVerdict, Refused } from './pipeline/accept.js'
export { type Backlogs, DroppedError, type SourceBacklog } from './pipeline/backlogs.js'
export type { PipelineClosed } from './pipeline/closing.js'
export type { DurableSpool, KeptEvents, PayloadPart } from './pipeline/durable-spool.js'
export {
  type ActiveParts,
  type Block,
  type IngestNode,
  InsertError,
  type InsertFault,
  linesOfBlock,
  rowsOfBlock,
} from './pipeline/ingest-node.js'
export { IngestPipeline, PipelineClosedError } from './pipeline/ingest-pipeline.js'
export type { BadRow, PipelineOptions, SavedPipeline } from './pipeline/options.js'
export type { IngestEvent, IngestLines } from './pipeline/payload.js'
export type { SavedGuard } from './pipeline/source-guard.js'
// Quotas
export { Quota, type QuotaDecision, type QuotaOptions } from './quota/quota.js'
export { rateLimitHeaders } from './quota/rate-limit-headers.js'
export { retryAfterSeconds } from './retry-after.js'
// Routing
export type { RouterOptions } from './route/options.js'
export { type FlushOutcome, type NodeReading, type Route, Router } from './route/router.js'
