import type { NodeStatus } from '@sluice/client'

/** Below this it answers as usual, and a limit that fell rises by one a window (L6); other thresholds are not told. */
const RECOVERY_RATIO = 1.2

/** How a node is doing: a word for it, and a sentence. */
export interface InWords {
  readonly mood: 'good' | 'slow' | 'bad' | 'unknown'
  readonly word: string
  readonly sentence: string
}

/** Says what the figures of a node mean; the first that holds, the gravest first. */
export function inWords({ state, limit: it }: NodeStatus, timeOf: (iso: string) => string): InWords {
  const ofMost = `${it.limit} of ${it.max_concurrent}`
  if (state !== 'up')
    return { mood: 'bad', word: state === 'down' ? 'Down' : 'Starting', sentence: 'The engine answers no queries now.' }
  if (it.hold_until !== null)
    return {
      mood: 'bad',
      word: 'On hold',
      sentence: `The engine asked for a pause: nothing starts before ${timeOf(it.hold_until)}.`,
    }
  if (it.throttle_ceiling < it.max_concurrent)
    return {
      mood: 'bad',
      word: 'Throttled',
      sentence: `The engine was short of something and refused. The limit is ${ofMost}, and rises by one a second.`,
    }
  const lowered = it.latency_ceiling < it.max_concurrent
  if (lowered && it.ratio !== null && it.ratio < RECOVERY_RATIO)
    return {
      mood: 'slow',
      word: 'Recovering',
      sentence: `It answers as usual again. The limit is ${ofMost}, and rises by one a window.`,
    }
  const slower = it.ratio === null ? 'more slowly than usual' : `${it.ratio.toFixed(1)} times as slowly as usual`
  if (lowered)
    return { mood: 'slow', word: 'Slowed down', sentence: `It answered ${slower}, so the limit fell to ${ofMost}.` }
  if (it.ratio === null)
    return {
      mood: 'unknown',
      word: 'Learning',
      sentence: `The limit is ${ofMost}. What is usual is not known yet: windows with enough queries tell.`,
    }
  if (it.ratio >= RECOVERY_RATIO)
    return { mood: 'slow', word: 'Slower', sentence: `It answers ${slower}. The limit is still ${ofMost}.` }
  return { mood: 'good', word: 'All is well', sentence: `The limit is ${ofMost}: the engine answers as usual.` }
}
