import type { FailureClass } from '@sluice/core'

/** What ended a call, in the eyes of the policy: neither a response nor a caller's reason says by itself. */
const ends = /* @__PURE__ */ new WeakMap<object, FailureClass | 'aborted'>()

export const noteEnd = (end: unknown, kind: FailureClass | 'aborted'): void => {
  if (typeof end === 'object' && end !== null) ends.set(end, kind)
}

/** Whether it is an abort of the platform's or of ours, or whatever else a caller gave as a reason. */
export const wasAborted = (end: object): boolean => (end as Error).name === 'AbortError' || ends.get(end) === 'aborted'

/** As the policy saw it; of a response that came another way, what its status usually means. */
export const classOf = (response: object, status: number): FailureClass | 'aborted' =>
  ends.get(response) ?? (status === 429 ? 'throttle' : /^50[234]$/.test(String(status)) ? 'transient' : 'final')
