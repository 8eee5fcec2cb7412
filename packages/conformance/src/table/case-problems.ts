import type { Suite } from '@sluice/spec'
import { caseName, isRecord, type Problem, shown } from './problem.js'
import { rulesOf } from './rules.js'

/** What no schema can say of a table's cases: ids are of this suite and given once, rules exist, bounds hold something. */
export function caseProblems(suite: Suite, cases: readonly unknown[]): Problem[] {
  const first = new Map<string, number>()
  const { rules, allowed } = rulesOf(suite)
  return cases.flatMap((row, index) => {
    if (!isRecord(row)) return []
    const caseId = caseName(row, index)
    const problems: Problem[] = []
    const { id, rule } = row
    if (typeof id === 'string') {
      const earlier = first.get(id)
      if (earlier === undefined) first.set(id, index)
      else {
        const says = `of cases[${index}] is taken by cases[${earlier}]; allowed: an id no other case has`
        problems.push({ caseId, field: 'id', says })
      }
      if (!new RegExp(`^${suite}/[a-z0-9]+(-[a-z0-9]+)*$`).test(id)) {
        problems.push({ caseId, field: 'id', says: `is ${shown(id)}; allowed: ${suite}/kebab-words` })
      }
    }
    if (typeof rule === 'string' && !rules.includes(rule)) {
      problems.push({ caseId, field: 'rule', says: `is ${shown(rule)}; allowed: ${allowed}` })
    }
    const { wait_ms_min: min, wait_ms_max: max } = isRecord(row.expect) ? row.expect : {}
    if (typeof min === 'number' && typeof max === 'number' && max < min) {
      problems.push({ caseId, field: 'expect.wait_ms_max', says: `is ${max}; allowed: at least wait_ms_min, ${min}` })
    }
    if (suite === 'backoff-scenarios') problems.push(...limitProblems(row).map((of) => ({ caseId, ...of })))
    if (suite === 'backoff-scenarios' || suite === 'ingest-scenarios')
      problems.push(...refusalProblems(row).map((of) => ({ caseId, ...of })))
    if (suite === 'call-scenarios') problems.push(...sharedProblems(row).map((of) => ({ caseId, ...of })))
    return problems
  })
}

type FieldProblem = Omit<Problem, 'caseId'>
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** What a limiter has to be able to do for a scenario is among its needs, or one that cannot would fail it. */
function limitProblems({ needs, config, steps }: Record<string, unknown>): FieldProblem[] {
  const named = Array.isArray(needs) ? needs : []
  const { prior = null, expected_p90_ms: expected = null } = isRecord(config) ? config : {}
  const wanted = [
    ...(prior === null && expected === null ? [] : ['prior']),
    ...(listOf(steps).some(({ restart }) => restart !== undefined) ? ['restart'] : []),
  ]
  return wanted
    .filter((need) => !named.includes(need))
    .map((need) => ({ field: 'needs', says: `is ${shown(needs)}; allowed: a list with "${need}", since it uses that` }))
}

/** What is refused is a field of the config that the row gives. */
function refusalProblems({ config, config_error: field }: Record<string, unknown>): FieldProblem[] {
  if (typeof field !== 'string' || !isRecord(config) || Object.hasOwn(config, field.split('.')[0] ?? field)) return []
  const given = Object.keys(config).join(', ') || 'none'
  return [
    { field: 'config_error', says: `is ${shown(field)}; allowed: a field of the row's config; there are ${given}` },
  ]
}

/** Calls that share a limiter: what belongs together, and times in an order that can be played. */
function sharedProblems(row: Record<string, unknown>): FieldProblem[] {
  const late = (answers: unknown): boolean => listOf(answers).some(({ body_ms }) => body_ms !== undefined)
  if (row.calls === undefined) {
    if (!late(row.answers)) return []
    return [{ field: 'answers', says: 'has body_ms; allowed: in calls, where the caller reads the body' }]
  }
  const problems: FieldProblem[] = []
  if (!Array.isArray(row.needs) || !row.needs.includes('limiter')) {
    problems.push({
      field: 'needs',
      says: `is ${shown(row.needs)}; allowed: a list with "limiter", since it has calls`,
    })
  }
  for (const [i, { at_ms: atMs = 0, abort_at_ms: abortAtMs }] of listOf(row.calls).entries()) {
    if (typeof atMs === 'number' && typeof abortAtMs === 'number' && abortAtMs <= atMs) {
      const field = `calls[${i}].abort_at_ms`
      problems.push({ field, says: `is ${abortAtMs}; allowed: after at_ms, ${atMs}: times are of one clock` })
    }
  }
  const looks = listOf(row.looks).map(({ at_ms }) => Number(at_ms))
  for (const [i, at] of looks.entries()) {
    const before = looks[i - 1]
    if (before === undefined || at > before) continue
    problems.push({ field: `looks[${i}].at_ms`, says: `is ${at}; allowed: after the look before it, at ${before}` })
  }
  return problems
}
