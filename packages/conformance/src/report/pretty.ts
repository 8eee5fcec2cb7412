import type { CaseResult } from '../run/case-result.js'
import { formatMismatch } from '../run/mismatch.js'
import type { Report, SuiteReport } from './report.js'

export interface PrettyOptions {
  /** ANSI colours: for a terminal. Default false. */
  color?: boolean
}

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const
type Paint = (style: keyof typeof CODES, text: string) => string

/** For people: every case that failed, field by field, and then the counts. */
export function prettyReport(report: Report, { color = false }: PrettyOptions = {}): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text)
  const { name, version, language } = report.subject
  const about = [name, version, language === null ? null : `(${language})`].filter((word) => word !== null)
  const lines = [
    paint('bold', about.join(' ')),
    ...report.suites.flatMap(({ result }) => result.results.flatMap((one) => caseLines(one, paint))),
    '',
    ...report.suites.flatMap((suite) => suiteLines(suite, paint)),
    lastLine(report, paint),
  ]
  return `${lines.join('\n')}\n`
}

function caseLines(result: CaseResult, paint: Paint): string[] {
  const [head = '', ...fields] = formatMismatch(result).split('\n')
  if (result.verdict === 'failed') return ['', `${paint('red', '✗')} ${head}`, ...fields]
  if (result.verdict === 'differs')
    return ['', `${paint('yellow', '~')} ${head}`, paint('dim', '  may differ'), ...fields]
  return []
}

function suiteLines({ suite, file, result, untold }: SuiteReport, paint: Paint): string[] {
  const { passed, failed, known, differs, skipped } = result
  const counts = [
    paint('green', `${passed} passed`),
    failed > 0 ? paint('red', `${failed} failed`) : null,
    known > 0 ? paint('yellow', `${known} known to fail`) : null,
    differs > 0 ? paint('yellow', `${differs} may differ`) : null,
    skipped.total > 0 ? `${skipped.total} skipped` : null,
  ].filter((text) => text !== null)
  const from = file === null || file === `${suite}.json` || suite === 'wire' ? '' : ` (${file})`
  const why = Object.entries(skipped.byReason).map(([reason, count]) => paint('dim', `  ${count} skipped: ${reason}`))
  const omitted = Object.entries(untold).map(([field, count]) => paint('dim', `  ${count} × ${field} was not told`))
  return [`${suite}${from}: ${counts.join(', ')}`, ...why, ...omitted]
}

function lastLine({ suites, durationMs }: Report, paint: Paint): string {
  const sum = (of: 'passed' | 'failed'): number => suites.reduce((total, { result }) => total + result[of], 0)
  const failed = sum('failed')
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  return (
    paint(failed > 0 ? 'red' : 'green', `${sum('passed')} passed, ${failed} failed`) + paint('dim', ` in ${seconds}`)
  )
}
