import type { Clock } from '../clock/clock.js'
import { isBranded } from '../errors/brand.js'
import type { isQueueFull } from '../errors/queue-full-error.js'
import type { isQueueTimeout } from '../errors/queue-timeout-error.js'
import type { isThrottled } from '../errors/throttled-error.js'
import type { AdaptiveSemaphore } from '../limit/adaptive-semaphore.js'
import type { AdaptiveSemaphoreOptions } from '../limit/semaphore-options.js'
import type { Slot } from '../limit/slot.js'
import { camel, snake } from '../words/case.js'
import type { SubjectArrival, SubjectLimit, SubjectSlot } from './cases.js'
import type { TablePolicy } from './policy-from-table.js'

/** The part of the public face that limits. */
export interface LimitFace {
  AdaptiveSemaphore: typeof AdaptiveSemaphore
  isQueueFull: typeof isQueueFull
  isQueueTimeout: typeof isQueueTimeout
  isThrottled: typeof isThrottled
}

type TablePrior = { p90_ms: number; windows: number } | null | undefined

/** Makes a limiter as a table configures it, through the public face. */
export function limitOfTable(
  { prior, ...config }: TablePolicy,
  clock: Clock,
  face: LimitFace,
): SubjectLimit | { config_error: string } {
  const given = prior as TablePrior // as the table's schema says
  const options = Object.fromEntries(Object.entries(config).map(([name, value]) => [camel(name), value]))
  try {
    const known = given ? { p90Ms: given.p90_ms, windows: given.windows } : null
    // What the fields hold is for the semaphore to refuse.
    const limiter = new face.AdaptiveSemaphore({ ...(options as AdaptiveSemaphoreOptions), prior: known, clock })
    return subjectOf(limiter, clock.now(), face)
  } catch (error) {
    return { config_error: snake((error as TypeError & { field: string }).field) } // all that it throws
  }
}

function subjectOf(limiter: AdaptiveSemaphore, createdAtMs: number, face: LimitFace): SubjectLimit {
  let events: string[] = []
  /** The slot behind each that the runner was lent. */
  const slots = new WeakMap<SubjectSlot, Slot>()
  limiter.subscribe(({ type }) => events.push(type))
  return {
    async arrive({ cap_ms, signal, retry_of }): Promise<SubjectArrival> {
      const retryOf = retry_of ? slots.get(retry_of) : undefined
      try {
        const slot = await limiter.acquire({ signal, retryOf, maxHeldMs: cap_ms ?? undefined })
        const lent = { release: () => slot.release() }
        slots.set(lent, slot)
        return { slot: lent }
      } catch (error) {
        return refusalOf(error, signal, face)
      }
    },
    sample: (latencyMs, timeout) => limiter.report({ kind: timeout ? 'timeout' : 'success', latencyMs }),
    throttle: (retryAfterMs) => limiter.report({ kind: 'throttle', retryAfterMs }),
    failure: () => limiter.report({ kind: 'failure' }),
    resetBaseline: () => limiter.resetBaseline(),
    read() {
      const { limit, inFlight, queued, ratio, holdUntil, ...snapshot } = limiter.snapshot()
      return {
        limit,
        throttle_ceiling: snapshot.throttleCeiling,
        latency_ceiling: snapshot.latencyCeiling,
        in_flight: inFlight,
        queued,
        held: holdUntil !== null,
        hold_until_ms: holdUntil === null ? null : holdUntil - createdAtMs,
        trust: snapshot.baselineTrust,
        p90_ms: snapshot.p90Ms,
        smoothed_ms: snapshot.smoothedMs,
        baseline_ms: snapshot.baselineMs,
        ratio,
      }
    },
    events() {
      const told = events
      events = []
      return told
    },
    dispose: () => limiter.dispose(),
  }
}

function refusalOf(error: unknown, signal: AbortSignal, face: LimitFace): SubjectArrival {
  if (signal.aborted && error === signal.reason) return { refused: 'aborted' }
  if (isBranded(error, 'LimiterDisposedError')) return { refused: 'disposed' }
  if (face.isQueueFull(error)) return { refused: 'queue_full', retry_after_ms: null }
  if (face.isQueueTimeout(error)) return { refused: 'queue_timeout', retry_after_ms: null }
  if (!face.isThrottled(error)) throw error
  const { reason, retryAfterMs } = error as { reason?: unknown; retryAfterMs?: number } // a ThrottledError's
  if (reason !== 'held') throw error
  return { refused: 'held', retry_after_ms: retryAfterMs ?? null }
}
