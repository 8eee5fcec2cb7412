import type { GiveUpEvent } from '@sluice/fetch'

/** What is known of the call that a request began. */
export interface CallNote {
  /** The last status that was received, or null. */
  status: number | null
  /** What the call ended with, where it gave up. */
  gaveUp: GiveUpEvent | undefined
  /** The answer came, and its body could not be read. */
  unreadable: boolean
  readonly deadlineMs: number | null
}

/** By the request in a result: the result itself may be copied. */
const notes = new WeakMap<Request, CallNote>()

export const noteOf = (request: Request | undefined): CallNote | undefined =>
  request === undefined ? undefined : notes.get(request)

/** Begins the note of a call. */
export function beginNote(request: Request, deadlineMs: number | null): CallNote {
  const note = { status: null, gaveUp: undefined, unreadable: false, deadlineMs }
  notes.set(request, note)
  return note
}
