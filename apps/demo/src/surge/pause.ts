import type { Clock } from '@sluice/core'

/** Waits. @throws the signal's reason when it is aborted */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const leave = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.timer(ms, () => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
    signal.addEventListener('abort', leave, { once: true })
  })
}
