import {
  type LimitFace,
  limitOfTable,
  type SubjectArrival,
  type SubjectLimit,
  type SubjectSlot,
} from '@sluice/core/conformance'
import type { AdaptiveSemaphore, AdaptiveSemaphoreOptions, Clock, Limiter, Slot } from '@sluice/fetch'

type Sluice = typeof import('@sluice/fetch')

/** What the operation of a call that is over throws: no success, so no sample. */
class Over extends Error {}

/** A limiter of a table whose calls are fetches: each has its slot from `createFetch()`, and waits for it there. */
export function limitOf(
  config: Record<string, unknown>,
  clock: Clock,
  sluice: Sluice,
  saved?: unknown,
): SubjectLimit | { config_error: string } {
  let made: AdaptiveSemaphore | undefined
  class Made extends sluice.AdaptiveSemaphore {
    constructor(options?: AdaptiveSemaphoreOptions) {
      super(options)
      made = this
    }
  }
  const face: LimitFace = { ...sluice, AdaptiveSemaphore: Made }
  const subject = limitOfTable(config, clock, face, saved)
  if (!made || 'config_error' in subject) return subject
  const limiter = made
  const slots = new WeakMap<SubjectSlot, Slot | undefined>()

  const arrive: SubjectLimit['arrive'] = ({ cap_ms, signal, retry_of }) =>
    new Promise<SubjectArrival>((resolve, reject) => {
      let slot: Slot | undefined
      // A retry has the slot of its last attempt; here that one was another fetch.
      const retryOf = retry_of ? slots.get(retry_of) : undefined
      const limit: Limiter = {
        tryAcquire: (options) => {
          const free = limiter.tryAcquire({ ...options, retryOf })
          slot = free ?? undefined
          return free
        },
        async acquire(options) {
          slot = await limiter.acquire({ ...options, retryOf })
          return slot
        },
      }
      const transport = (): Promise<Response> =>
        new Promise((_, over) => {
          const lent = {
            sample: (latencyMs: number, timeout: boolean) =>
              slot?.report({ kind: timeout ? 'timeout' : 'success', latencyMs }),
            release: () => over(new Over()),
          }
          slots.set(lent, slot)
          resolve({ slot: lent })
        })
      const most = Number.MAX_SAFE_INTEGER
      const policy = sluice.retryPolicy({ maxAttempts: 1, perAttemptCapMs: cap_ms ?? most, totalCapMs: most })
      sluice
        .createFetch({ limit, clock, policy, fetch: transport })('https://service.test/', { signal })
        .catch((error: unknown) => {
          if (error instanceof Over) return
          const { reason = null, retryAfterMs = null } = sluice.outcomeOf(error) ?? {}
          if (signal.aborted && error === signal.reason) resolve({ refused: 'aborted' })
          else if (error instanceof sluice.LimiterDisposedError) resolve({ refused: 'disposed' })
          else if (reason === 'held' || reason === 'queue_full' || reason === 'queue_timeout')
            resolve({ refused: reason, retry_after_ms: retryAfterMs })
          else reject(error)
        })
    })
  return { ...subject, arrive }
}
