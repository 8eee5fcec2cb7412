import { type Clock, systemClock } from '@sluice/core'
import { createElement, type ReactElement, useEffect, useRef, useState } from 'react'
import type { WaitingCalls } from '../waiting-calls.js'
import { type RetryState, useRetryState } from './use-retry-state.js'

/** How a banner looks and behaves. */
export interface RetryBannerProps {
  /** A fetch's `waiting`. */
  readonly calls: WaitingCalls
  /** Default `sluice-retry-banner`. */
  readonly className?: string | undefined
  /** Another text than S3's; null: none now. A text that changes is read aloud again: so no countdown. */
  readonly message?: ((state: RetryState) => string | null) | undefined
  /** A retry that is over sooner is not worth a word, in ms. Default 400. */
  readonly showAfterMs?: number | undefined
  /**
   * It stays until nothing has been retried for so long, in ms, and so at least as long; another text takes its place
   * when it has been out of date for as long. Default 1 000.
   */
  readonly hideAfterMs?: number | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/**
 * Tells once that requests are being retried, and that it is over by going away (S3). The element is always there, and
 * empty while there is nothing to say, so that a screen reader notices the text that comes into it. A style sheet that
 * takes it out of the page with `display: none` takes that away: give it its colours and spaces where it is `:not(:empty)`.
 */
export function RetryBanner({
  calls,
  className = 'sluice-retry-banner',
  message = (state) => state.message,
  showAfterMs = 400,
  hideAfterMs = 1000,
  clock = systemClock,
}: RetryBannerProps): ReactElement {
  const wanted = message(useRetryState(calls))
  const text = useSteady(wanted, { showAfterMs, hideAfterMs, clock })
  return createElement('div', { role: 'status', className }, text)
}

interface Timing {
  showAfterMs: number
  hideAfterMs: number
  clock: Clock
}

/** Follows a text, but not into a flicker. */
function useSteady(wanted: string | null, { showAfterMs, hideAfterMs, clock }: Timing): string | null {
  const [text, setText] = useState<string | null>(null)
  const latest = useRef(wanted)
  useEffect(() => {
    latest.current = wanted
  }, [wanted])
  const missing = text === null && wanted !== null
  useEffect(() => {
    if (missing) return clock.timer(showAfterMs, () => setText(latest.current)) // whichever it is by then
  }, [missing, showAfterMs, clock])
  /** Since when the text is not what is wanted, whatever is, and nothing for a while. */
  const staleSinceMs = useRef<number>(undefined)
  useEffect(() => {
    if (text === null || text === wanted) {
      staleSinceMs.current = undefined
      return
    }
    const now = clock.now()
    staleSinceMs.current ??= now
    // It goes when nothing has been wanted for so long; another takes its place although that comes and goes.
    const ms = wanted === null ? hideAfterMs : Math.max(0, staleSinceMs.current + hideAfterMs - now)
    return clock.timer(ms, () => setText(wanted))
  }, [text, wanted, hideAfterMs, clock])
  return text
}
