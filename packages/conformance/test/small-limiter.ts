import type { LimitSlot, LimitSubject, ReplayClock } from '../src/index.js'

/** A limiter that knows a fixed limit, a bounded queue and nothing else; `breaks` makes it wrong in one way. */
export function smallLimiter(
  config: Record<string, unknown>,
  clock: ReplayClock,
  breaks: 'nothing' | 'count' | 'dispose' | 'timer' | 'throws' = 'nothing',
): LimitSubject {
  const [most, maxQueue, patience] = [config.max_concurrent, config.max_queue, config.queue_timeout_ms].map(Number)
  const waiting: ((slot: LimitSlot | null) => void)[] = []
  let inFlight = 0
  const pump = (): void => {
    while (inFlight < (most ?? 1) && waiting.length > 0) {
      inFlight++
      let lent = true
      waiting.shift()?.({
        sample() {},
        release() {
          if (lent) inFlight--
          lent = false
          pump()
        },
      })
    }
  }
  return {
    arrive({ signal }) {
      if (breaks === 'throws') return Promise.reject(new Error('out of slots'))
      if (inFlight >= (most ?? 1) && waiting.length >= (maxQueue ?? 0))
        return Promise.resolve({ refused: 'queue_full', retry_after_ms: null })
      return new Promise((resolve) => {
        const leave = (refused: 'aborted' | 'queue_timeout'): void => {
          if (waiting.includes(start)) waiting.splice(waiting.indexOf(start), 1)
          resolve(refused === 'aborted' ? { refused } : { refused, retry_after_ms: null })
        }
        const cancel = clock.timer(patience ?? 0, () => leave('queue_timeout'))
        const start = (slot: LimitSlot | null): void => {
          if (breaks !== 'timer') cancel()
          resolve(slot === null ? { refused: 'disposed' } : { slot })
        }
        signal.addEventListener('abort', () => {
          cancel()
          leave('aborted')
        })
        waiting.push(start)
        pump()
      })
    },
    sample() {},
    throttle() {},
    failure() {},
    resetBaseline() {},
    read: () => ({
      limit: most ?? 1,
      throttle_ceiling: most ?? 1,
      latency_ceiling: most ?? 1,
      in_flight: inFlight,
      queued: breaks === 'count' ? 0 : waiting.length,
      held: false,
      hold_until_ms: null,
      trust: 'unknown',
      p90_ms: null,
      smoothed_ms: null,
      baseline_ms: null,
      ratio: null,
    }),
    dispose() {
      if (breaks !== 'dispose') for (const start of waiting.splice(0)) start(null)
    },
  }
}
