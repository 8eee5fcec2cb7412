import { type FailureClass, outcomeOf } from '@sluice/core'

/**
 * Beside the outcome, and in the global registry: so that clones of a response, the errors of clients that keep its
 * headers, and other copies of this package have it too.
 */
const CLASS = Symbol.for('sluice.class')

/** Notes what ended a call, in the eyes of the policy: a status does not say by itself. */
export const noteClass = (end: unknown, kind: FailureClass): void => {
  const outcome = outcomeOf(end)
  if (outcome) Object.defineProperty(outcome, CLASS, { value: kind, configurable: true })
}

/** As the policy saw it; of a response that came another way, what its status usually means. */
export const classOf = (response: object, status: number): FailureClass =>
  (outcomeOf(response) as { [CLASS]?: FailureClass } | undefined)?.[CLASS] ??
  (status === 429 ? 'throttle' : /^50[234]$/.test(String(status)) ? 'transient' : 'final')

/**
 * What callers gave as a reason, which is to stay as it is (R11): so it is noted here. The end of another call is not:
 * it is a failure all the same, where the others are aborted because of it.
 */
const reasons = /* @__PURE__ */ new WeakSet<object>()

export const noteAborted = (reason: unknown): void => {
  if (typeof reason === 'object' && reason !== null && !outcomeOf(reason)) reasons.add(reason)
}

/** Whether it is an abort of the platform's or of ours, or whatever else a caller gave as a reason. */
export const wasAborted = (end: object): boolean => (end as Error).name === 'AbortError' || reasons.has(end)
