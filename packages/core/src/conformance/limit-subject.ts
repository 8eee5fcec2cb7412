import type { Clock } from '../clock/clock.js'
import { isBranded } from '../errors/brand.js'
import { isObject } from '../errors/is-object.js'
import type { isQueueFull } from '../errors/queue-full-error.js'
import type { isQueueTimeout } from '../errors/queue-timeout-error.js'
import type { isThrottled } from '../errors/throttled-error.js'
import type { AdaptiveSemaphore } from '../limit/adaptive-semaphore.js'
import type { AttemptReport } from '../limit/report.js'
import type { AdaptiveSemaphoreOptions } from '../limit/semaphore-options.js'
import type { Slot } from '../limit/slot.js'
import { camel, snake } from '../words/case.js'
import type { LimitReading, SubjectArrival, SubjectLimit, SubjectSlot } from './cases.js'
import type { TablePolicy } from './policy-from-table.js'

/** The part of the public face that limits. */
export interface LimitFace extends RefusalFace {
  AdaptiveSemaphore: typeof AdaptiveSemaphore
}

/** The part that tells how a limiter refused. */
export interface RefusalFace {
  isQueueFull: typeof isQueueFull
  isQueueTimeout: typeof isQueueTimeout
  isThrottled: typeof isThrottled
}

/**
 * Makes a limiter as a table configures it, and gives it a table's words.
 * @param saved what another one saved
 */
export function limitOfTable(
  config: TablePolicy,
  clock: Clock,
  face: LimitFace,
  saved?: unknown,
): SubjectLimit | { config_error: string } {
  const limiter = semaphoreOfTable(config, clock, face, saved)
  return 'config_error' in limiter ? limiter : subjectOf(limiter, clock.now(), face)
}

/** Makes a limiter as a table configures it, through the public face. */
export function semaphoreOfTable(
  { prior, ...config }: TablePolicy,
  clock: Clock,
  face: LimitFace,
  saved?: unknown,
): AdaptiveSemaphore | { config_error: string } {
  // What is no field of a table's is passed on by the name that it has there: the semaphore refuses it.
  const nameOf = (name: string): string => (['saved', 'clock', 'parts'].includes(name) ? `${name}_` : camel(name))
  const fields = Object.fromEntries(Object.entries(config).map(([name, value]) => [nameOf(name), value]))
  const { p90_ms: p90Ms, windows } = Object(prior)
  const known = isObject(prior) ? { p90Ms, windows } : prior
  try {
    // What the fields hold is for the semaphore to refuse.
    return new face.AdaptiveSemaphore({ ...fields, prior: known, saved, clock } as AdaptiveSemaphoreOptions)
  } catch (error) {
    return { config_error: snake((error as TypeError & { field: string }).field).replace(/_$/, '') } // all that it throws
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
        const lent = {
          sample: (latencyMs: number, timeout: boolean) => slot.report(sampleOf(latencyMs, timeout)),
          release: () => slot.release(),
        }
        slots.set(lent, slot)
        return { slot: lent }
      } catch (error) {
        return refusalOf(error, signal, face)
      }
    },
    sample: (latencyMs, timeout) => limiter.report(sampleOf(latencyMs, timeout)),
    throttle: (retryAfterMs) => limiter.report({ kind: 'throttle', retryAfterMs }),
    failure: () => limiter.report({ kind: 'failure' }),
    resetBaseline: () => limiter.resetBaseline(),
    read: () => readingOf(limiter, createdAtMs),
    events() {
      const told = events
      events = []
      return told
    },
    save: () => limiter.save(),
    dispose: () => limiter.dispose(),
  }
}

const sampleOf = (latencyMs: number, timeout: boolean): AttemptReport => ({
  kind: timeout ? 'timeout' : 'success',
  latencyMs,
})

/** A limiter's snapshot in the tables' words. */
export function readingOf(limiter: AdaptiveSemaphore, createdAtMs: number): LimitReading {
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
    shedding: snapshot.shedding,
    overdraft_left_ms: snapshot.overdraftLeftMs,
  }
}

/** What a limiter refused a call with, in the tables' words; undefined: it is something else. */
export function refusalName(
  error: unknown,
  { isQueueFull, isQueueTimeout, isThrottled }: RefusalFace,
): 'queue_full' | 'queue_timeout' | 'held' | undefined {
  if (isQueueFull(error)) return 'queue_full'
  if (isQueueTimeout(error)) return 'queue_timeout'
  return isThrottled(error) && (error as { reason?: unknown }).reason === 'held' ? 'held' : undefined // a ThrottledError's
}

function refusalOf(error: unknown, signal: AbortSignal, face: LimitFace): SubjectArrival {
  if (signal.aborted && error === signal.reason) return { refused: 'aborted' }
  if (isBranded(error, 'LimiterDisposedError')) return { refused: 'disposed' }
  const refused = refusalName(error, face)
  if (refused === undefined) throw error
  const { retryAfterMs } = error as { retryAfterMs?: number } // a ThrottledError's; the others have none
  return { refused, retry_after_ms: retryAfterMs ?? null }
}
