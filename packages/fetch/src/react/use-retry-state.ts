import { shown } from '@sluice/core/adapter'
import { useSyncExternalStore } from 'react'
import { waitingMessage } from '../page/waiting-message.js'
import type { WaitingCall, WaitingCalls } from '../waiting-calls.js'

/** What is being retried, as one component sees it. */
export interface RetryState {
  /** From the first wait of each to its end, oldest first; empty where nothing is being retried. */
  readonly waiting: readonly WaitingCall[]
  /** One sentence for all of them (S3); null where there are none. */
  readonly message: string | null
}

const NOTHING: readonly WaitingCall[] = Object.freeze([])
const nothing = (): readonly WaitingCall[] => NOTHING

/**
 * The calls of a page that are being retried. Renders again when one begins to wait, is sent or ends, and not in between.
 *
 * @param calls a fetch's `waiting`: `useRetryState(pageFetch.waiting)`
 * @throws TypeError for anything else, such as the fetch itself
 */
export function useRetryState(calls: WaitingCalls): RetryState {
  if (typeof calls?.subscribe !== 'function')
    throw new TypeError(
      `useRetryState: calls must be a fetch's \`waiting\`, as in \`fetch.waiting\`; got ${shown(calls)}`,
    )
  const waiting = useSyncExternalStore(calls.subscribe, calls.getSnapshot, nothing)
  return { waiting, message: waitingMessage(waiting) }
}
