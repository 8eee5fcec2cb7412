import type { ReplayClock } from '../src/index.js'

/** The least virtual clock that replays: timers in order, everything runnable drained between two of them. */
export function testClock(wallNow: number): ReplayClock & { pending(): number } {
  let now = 0
  let timers: { due: number; fire: () => void }[] = []
  const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    wallNow: () => wallNow + now,
    pending: () => timers.length,
    timer(ms, fire) {
      const timer = { due: now + ms, fire }
      timers.push(timer)
      timers.sort((a, b) => a.due - b.due)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async run(promise) {
      let settled = false
      const settle = (): void => {
        settled = true
      }
      promise.then(settle, settle)
      for (await drain(); !settled; await drain()) {
        const next = timers.shift()
        if (next === undefined) throw new Error('nothing is left to fire')
        now = next.due
        next.fire()
      }
      return promise
    },
  }
}
