import type { AttemptReport } from '../limit/report.js'
import type { AcquireOptions } from '../limit/semaphore-options.js'
import type { Slot } from '../limit/slot.js'
import type { Decision } from './decide.js'
import type { Failure } from './failure.js'

/** What lends a call its slots. `AdaptiveSemaphore` is one; one is shared by the calls to one server. */
export interface Limiter {
  /** A slot, if one is free and nobody waits for it; else null. */
  tryAcquire(options: AcquireOptions): Slot | null
  /** Waits for a slot; rejects with QueueFullError, QueueTimeoutError, a ThrottledError of reason `held`, or the signal's reason. */
  acquire(options: AcquireOptions): Promise<Slot>
}

/** What a failed attempt is to the limiter, also one that is retried (L2, L9, L12). */
export function reportOfFailure(failure: Failure, decision: Decision, latencyMs: number): AttemptReport {
  if (decision.class === 'throttle') return { kind: 'throttle', retryAfterMs: decision.retryAfterMs }
  // The answer would have taken at least that. Any other failure is no sample: failing fast is not being fast.
  return failure.kind === 'timeout' ? { kind: 'timeout', latencyMs } : { kind: 'failure' }
}
