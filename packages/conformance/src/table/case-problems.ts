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
    return problems
  })
}
