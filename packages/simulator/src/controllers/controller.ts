import type { Limiter, LimitSnapshot, Prior } from '@sluice/core'
import type { World } from '../world/world.js'

/** What an application knows of a call before it makes it. */
export interface CallKind {
  /** Whose it is. */
  readonly tenant: number
  /** The name of its class of work. */
  readonly kind: string
}

/** A limiter one can look into; `AdaptiveSemaphore` is one. */
export interface ObservedLimiter extends Limiter {
  /** What a call asks for its slot. Default: the limiter itself, which does not tell one call from another. */
  limiterFor?(call: CallKind): Limiter
  snapshot(): Pick<LimitSnapshot, 'limit' | 'inFlight' | 'queued'> & Partial<Pick<LimitSnapshot, 'baselineTrust'>>
}

/** What nobody can know who only sends requests: for the oracle. */
export interface Truth {
  /** Cores that are there now, at their present speed. */
  cores(): number
  /** Batch jobs that run on them. */
  batchJobs(): number
}

/** What a controller is given. */
export interface ControllerSetting {
  readonly world: World
  /** In flight at most, whatever it finds. */
  readonly maxConcurrent: number
  readonly queueTimeoutMs: number
  readonly maxQueue: number
  /** What is known from before; null: nothing. */
  readonly prior: Prior | null
  readonly truth: Truth
}

/** A way to find a limit. */
export interface Controller {
  readonly name: string
  /** What it follows: a paper, a documentation, a rule. */
  readonly source: string
  create(setting: ControllerSetting): ObservedLimiter
}
