import type {
  Clock,
  GiveUpEvent,
  Limiter,
  Logger,
  RetryBudget,
  RetryEvent,
  RetryPolicy,
  RetryPolicyOptions,
} from '@sluice/core'
import type { LatencyOf } from './latency/latency-of.js'
import type { WaitingCalls } from './waiting-calls.js'

/** A limiter for each key: `Limiters` is that. */
export interface KeyedLimiters {
  for(key: string): Limiter
}

/** What `createFetch()` can be told. Everything is optional. */
export interface FetchOptions {
  /** Default: `interactive`. */
  policy?: RetryPolicy | undefined
  /** The fetch underneath. Default: the platform's, looked up at each call. */
  fetch?: typeof fetch | undefined
  /** Repeating does no harm, whatever the method (R2). Default false; usually set for one call, with `.with()`. */
  idempotent?: boolean | undefined
  /**
   * Gives POST and PATCH requests that carry no `Idempotency-Key` one, the same on every attempt, so that they may be
   * repeated (R2). For servers that honour such keys. `true`: a random UUID; or a function that makes the key. Default false.
   */
  idempotencyKey?: boolean | (() => string) | undefined
  /**
   * Bounds the calls in flight (L1): an `AdaptiveSemaphore` for all of them, or `Limiters`, one for each key. A slot is
   * held until the body is read, cancelled, failed or dropped (L12): read what you ask for, or cancel it. Default: none.
   */
  limit?: Limiter | KeyedLimiters | undefined
  /** The key of a call, with `Limiters` (L10). Default: the origin of its URL. */
  limitKey?: ((url: string, method: string) => string) | undefined
  /** Whether a call is let past the limiter, such as a health check: it takes no slot and is no sample. Default: none is. */
  letPast?: ((url: string, method: string) => boolean) | undefined
  /** The server's own figure of how long it took (L2): `clickhouseElapsed`, say. Default: the time to headers. */
  latencyOf?: LatencyOf | undefined
  /** What ends a slot: the end of the body, or the response's headers (L12). Default `body`. */
  slotUntil?: 'body' | 'headers' | undefined
  /** Shared by the calls to one server (R16). Default: none. */
  retryBudget?: RetryBudget | undefined
  /** Called before each wait. What it throws ends the call. */
  onRetry?: ((event: RetryEvent) => void) | undefined
  /** Called when a call ends without success, but for one whose limiter was disposed. What it throws is thrown instead. */
  onGiveUp?: ((event: GiveUpEvent) => void) | undefined
  /** One debug line a retry, a warning for each throttle-budget wait (R15). URLs and headers are never logged. */
  logger?: Logger | undefined
  /** Default: the system's. */
  clock?: Clock | undefined
  /** Draws from [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined
}

/** What `.with()` changes: fields of the policy, and options of one call. */
export type CallOptions = RetryPolicyOptions &
  Pick<FetchOptions, 'idempotent' | 'idempotencyKey' | 'onRetry' | 'onGiveUp'>

/** A `typeof fetch` with the policy inside. */
export interface SluiceFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * The same fetch with other settings, for one call or many. Shares everything else, the waiting calls included.
   * @throws TypeError that names the field and the value
   */
  with(options: CallOptions): SluiceFetch
  /** The calls that are being retried right now: each waits for its next attempt, or that is in flight. */
  readonly waiting: WaitingCalls
  /** How many calls were let past the limiter so far, by `letPast`. */
  readonly passed: { readonly count: number }
}
