import type { MachineReading, MachineStep } from '../table/ingest-table.js'
import { isRecord } from '../table/problem.js'
import type { Comparison } from './mismatch.js'

/** Figures are sums and products of fractions: within a millionth they are the same. */
const TOLERANCE = 1e-6

/** Compares what each step states, and nothing else. */
export function compareMachineSteps(
  compare: Comparison,
  steps: readonly MachineStep[],
  actual: readonly MachineReading[],
): void {
  compare.equal('steps', steps.length, actual.length)
  for (const [i, { expect }] of steps.entries()) {
    const seen = actual[i]
    if (expect === undefined || seen === undefined) continue
    for (const [field, expected] of Object.entries(expect))
      compareValue(compare, `steps[${i}].${field}`, expected, seen[field])
  }
}

/** Of an object what is stated, of a list everything. */
function compareValue(compare: Comparison, field: string, expected: unknown, seen: unknown): void {
  if (typeof expected === 'number' && typeof seen === 'number') {
    if (!(Math.abs(seen - expected) <= TOLERANCE * Math.abs(expected))) compare.fail(field, expected, seen)
  } else if (Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length) {
    for (const [i, one] of expected.entries()) compareValue(compare, `${field}[${i}]`, one, seen[i])
  } else if (isRecord(expected) && isRecord(seen)) {
    for (const [name, one] of Object.entries(expected)) compareValue(compare, `${field}.${name}`, one, seen[name])
  } else compare.equal(field, expected, seen)
}
