import type { Clock } from '@sluice/core'
import type { Logger } from './logger.js'

/** What the end of a gateway is told and timed with. */
export interface Ending {
  readonly clock: Pick<Clock, 'now' | 'timer'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Whatever is put on disk at the end has so long at least, in ms, however short the grace is. */
export const LEAST_DISK_MS = 500

/**
 * Waits for a part of a gateway's end, but not for a disk that hangs: what has not ended in time is told, and left to itself.
 * @returns whether it has ended
 * @throws what it rejects with by then
 */
export function endedInTime(what: string, ms: number, part: Promise<unknown>, ending: Ending): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stop = ending.clock.timer(ms, () => {
      ending.logger.warn('not closed in time', { what, ms: Math.round(ms) })
      resolve(false)
    })
    part.then(() => resolve(true), reject).finally(stop)
  })
}
