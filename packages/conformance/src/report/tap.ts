import type { CaseResult } from '../run/case-result.js'
import type { Report } from './report.js'

/** TAP 14: one test point a case; SKIP where it was skipped, TODO where a failure is known or allowed. */
export function tapReport({ suites }: Report): string {
  const cases = suites.flatMap(({ result }) => result.results)
  const lines = cases.flatMap((one, i) => [pointOf(one, i + 1), ...diagnosticsOf(one)])
  return `${['TAP version 14', `1..${cases.length}`, ...lines].join('\n')}\n`
}

function pointOf({ id, name, verdict, skipReason }: CaseResult, number: number): string {
  const good = verdict === 'passed' || verdict === 'skipped'
  const directive = {
    passed: '',
    failed: '',
    skipped: ` # SKIP ${escaped(skipReason ?? '')}`,
    known: ' # TODO known to fail',
    differs: ' # TODO may differ',
  }[verdict]
  return `${good ? 'ok' : 'not ok'} ${number} - ${escaped(`${id}: ${name}`)}${directive.trimEnd()}`
}

/** A YAML block; JSON strings are YAML, whatever they hold. */
function diagnosticsOf({ verdict, rule, mismatches, draw }: CaseResult): string[] {
  if (verdict === 'passed' || verdict === 'skipped') return []
  const yaml = (value: unknown): string => (value === undefined ? '"nothing"' : JSON.stringify(value))
  const fields = mismatches.flatMap(({ field, expected, actual }) => [
    `    - field: ${yaml(field)}`,
    `      expected: ${yaml(expected)}`,
    `      actual: ${yaml(actual)}`,
  ])
  return [
    '  ---',
    ...(rule === null ? [] : [`  rule: ${yaml(rule)}`]),
    ...(draw === null ? [] : [`  random: ${draw}`]),
    '  mismatches:',
    ...fields,
    '  ...',
  ]
}

/** A `#` would begin a directive. */
function escaped(text: string): string {
  return text.replace(/[\\#]/g, '\\$&').replace(/\s+/g, ' ')
}
