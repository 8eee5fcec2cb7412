import type { Part } from './figures.js'
import { SLOTS } from './sizing.js'
import { WINDOW_MS } from './surge.js'

/** Well above where a limit comes back by itself (1.1): one that opens there does so to ask (L21, which needs 1.5). */
const STILL_SLOW = 1.2
/** It is open for three windows; the next sight of it may come a little later. */
const ANSWERED_MS = 3.5 * WINDOW_MS

/** The limit was opened in the middle of the job, to ask whether the callers are what slows the engine (L21). */
export interface Asked {
  readonly atMs: number
  /** The limit that it then went back to; `open`: it stayed open, as it is not the callers; null: nobody saw the answer. */
  readonly answer: number | 'open' | null
}

/** The first time, as far as it can be seen from outside; null: it was not asked while the job ran. */
export function askedOf(part: Part): Asked | null {
  const { sights, jobFromMs, jobMs, endMs } = part
  const opened = sights.find(({ atMs, limit, ratio }, index) => {
    const before = sights[index - 1]?.limit ?? SLOTS
    const isBesideJob = atMs > jobFromMs && atMs <= jobFromMs + jobMs
    return isBesideJob && before < SLOTS && limit === SLOTS && ratio !== null && ratio > STILL_SLOW
  })
  if (opened === undefined) return null
  const { atMs } = opened
  const fell = sights.find((sight) => sight.atMs > atMs && sight.atMs <= atMs + ANSWERED_MS && sight.limit < SLOTS)
  return { atMs, answer: fell?.limit ?? (endMs > atMs + ANSWERED_MS ? 'open' : null) }
}
