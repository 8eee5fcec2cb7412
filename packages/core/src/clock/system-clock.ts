import type { Clock } from './clock.js'

/** `setTimeout` takes a signed 32-bit number; anything above it fires at once (R18). */
const LONGEST = 2 ** 31 - 1

/** The one place in Sluice that touches the platform's time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  timer(ms, fire) {
    const due = performance.now() + ms
    let id: ReturnType<typeof setTimeout>
    const arm = (left: number): void => {
      id = setTimeout(
        () => {
          // Platforms round timers down and may fire a little early; a server's stated wait must not be cut short (R6).
          const rest = due - performance.now()
          if (rest > 0) arm(rest)
          else fire()
        },
        Math.min(Math.ceil(left), LONGEST),
      )
    }
    arm(ms)
    return () => clearTimeout(id)
  },
}
