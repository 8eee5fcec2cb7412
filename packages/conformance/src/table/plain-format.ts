import { isRecord, type Problem } from './problem.js'
import { schemaProblems } from './schema-problems.js'
import { schemaOf } from './schemas.js'
import { decisionOnly } from './scope.js'
import type { RetryCase, RetryTable } from './table.js'

/** Whether a value is the plain public format of retry cases: top-level `policy` and `cases`, and no `suite`. */
export function isPlain(value: Record<string, unknown>): boolean {
  return !('suite' in value) && isRecord(value.policy) && Array.isArray(value.cases)
}

/**
 * Reads the plain public format: unknown keys are ignored, the id is made from position and name, there is no rule, and
 * a row that no call can be brought to is of scope `decision` by itself.
 */
export function plainTable(
  value: Record<string, unknown>,
  file: string,
): { table: RetryTable } | { problems: Problem[] } {
  const cases = Array.isArray(value.cases) ? value.cases : []
  const filled = {
    suite: 'retry-cases',
    version: '0.0.0',
    notes: [],
    policy: { ...(isRecord(value.policy) ? value.policy : {}) },
    cases: cases.map((row: unknown, index) => (isRecord(row) ? fill(row, index) : row)),
  }
  const validate = schemaOf('retry-cases', 'drop')
  if (!validate(filled)) return { problems: schemaProblems(validate.errors ?? [], filled) }
  // The schema has just said so.
  const rows = filled.cases as RetryCase[]
  const table: RetryTable = {
    suite: 'retry-cases',
    file,
    version: null,
    policy: filled.policy,
    cases: rows.map((row) => ({ ...row, rule: null, ...scopeOf(row, filled.policy) })),
  }
  return { table }
}

/** What the public format leaves out. The rule stands in for none, so that the schema is satisfied. */
function fill(row: Record<string, unknown>, index: number): Record<string, unknown> {
  const given = typeof row.name === 'string' && row.name.trim() !== '' ? row.name : undefined
  const name = given ?? `${String(row.method)} after ${String(row.failure)}, attempt ${String(row.attempt)}`
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const { scope, source, ...rest } = row
  const expect = isRecord(row.expect) ? { expect: { ...row.expect } } : {}
  const id = ['retry-cases/', index + 1, ...words.map((word) => `-${word}`)].join('')
  return { retry_after: null, ...rest, ...expect, id, rule: 'R1', level: 'must', needs: [], name }
}

function scopeOf(row: RetryCase, policy: RetryTable['policy']): { scope?: 'decision' } {
  return decisionOnly(row, policy) === null ? {} : { scope: 'decision' }
}
