import type { HostClock } from '../src/driver.js'

/** Real time, as the runner is handed it. A platform's timer may fire early; this one does not. */
export const realClock: HostClock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  timer(ms, fire) {
    const due = performance.now() + ms
    let id: ReturnType<typeof setTimeout>
    const arm = (): void => {
      const left = due - performance.now()
      if (left <= 0) fire()
      else id = setTimeout(arm, Math.ceil(left))
    }
    id = setTimeout(arm, Math.ceil(ms))
    return () => clearTimeout(id)
  },
}
