import { causes } from '@sluice/core/adapter'

type Why = 'superseded' | 'page left'

/** In the global registry, so that several copies of this package know each other's reasons. */
const WHY = Symbol.for('sluice.aborted')

/** An `AbortError`, as the platform's own, so that code which ignores aborts ignores these too. */
const reason = (why: Why, message: string): DOMException =>
  Object.defineProperty(new DOMException(message, 'AbortError'), WHY, { value: why })

export const superseded = (): DOMException =>
  reason('superseded', 'superseded by a later call with the same supersede key')

export const pageLeft = (): DOMException => reason('page left', 'the page was left')

const is = (error: unknown, why: Why): boolean =>
  causes(error).some((link) => (link as { [WHY]?: unknown })[WHY] === why)

/** Whether a call ended because a later one with the same `supersede` key took its place (U2). */
export const isSuperseded = (error: unknown): boolean => is(error, 'superseded')

/** Whether a call ended because the page was left (U2). A page that is restored may make it again. */
export const isPageLeft = (error: unknown): boolean => is(error, 'page left')
