import type { Figure, LimitExpectation, LimitStep, LimitStepActual, Refusal } from '../table/limit-table.js'
import type { Comparison } from './mismatch.js'

/** Figures of latency are sums of many fractions: within a millionth they are the same. */
const TOLERANCE = 1e-6
const FIGURES = ['p90_ms', 'smoothed_ms', 'baseline_ms', 'ratio'] as const
const REFUSALS: readonly Refusal[] = ['queue_full', 'queue_timeout', 'held']

/** Compares what each step states, and nothing else. */
export function compareLimitSteps(
  compare: Comparison,
  steps: readonly LimitStep[],
  actual: readonly Partial<LimitStepActual>[],
): void {
  compare.equal('steps', steps.length, actual.length)
  for (const [i, { expect }] of steps.entries()) {
    const seen = actual[i]
    if (expect !== undefined && seen !== undefined) compareReading(compare, `steps[${i}]`, expect, seen)
  }
}

/** Compares what is stated of a limiter at one time. */
export function compareReading(
  compare: Comparison,
  at: string,
  expect: LimitExpectation,
  seen: Partial<LimitStepActual>,
): void {
  const { p90_ms, smoothed_ms, baseline_ms, ratio, refused, events, ...exact } = expect
  for (const [field, expected] of Object.entries(exact))
    compare.equal(`${at}.${field}`, expected, seen[field as keyof typeof exact]) // its own key
  for (const field of FIGURES) {
    const expected = expect[field]
    if (expected !== undefined && !isFigure(expected, seen[field]))
      compare.fail(`${at}.${field}`, expected, seen[field])
  }
  if (refused !== undefined)
    for (const why of REFUSALS) compare.equal(`${at}.refused.${why}`, refused[why] ?? 0, seen.refused?.[why] ?? 0)
  if (events !== undefined && events.join() !== seen.events?.join()) compare.fail(`${at}.events`, events, seen.events)
}

function isFigure(expected: Figure, seen: number | null | undefined): boolean {
  if (expected === null || typeof seen !== 'number') return expected === seen
  if (typeof expected === 'object') return seen >= expected.min && seen <= expected.max
  return Math.abs(seen - expected) <= TOLERANCE * Math.abs(expected)
}
