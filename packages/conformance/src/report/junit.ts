import type { CaseResult } from '../run/case-result.js'
import { formatMismatch, mismatchLine } from '../run/mismatch.js'
import type { Report, SuiteReport } from './report.js'

/** For CI servers: JUnit's XML, a testsuite a table. Cases that may differ, or are known to fail, are skipped there. */
export function junitReport({ subject, suites, durationMs }: Report): string {
  const count = (of: (suite: SuiteReport) => number): number => suites.reduce((sum, suite) => sum + of(suite), 0)
  const totals = attributes({
    name: [subject.name, subject.version].filter((word) => word !== null).join(' '),
    tests: count(({ result }) => result.results.length),
    failures: count(({ result }) => result.failed),
    skipped: count(skippedOf),
    time: (durationMs / 1000).toFixed(3),
  })
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${totals}>`, ...suites.flatMap(suiteLines)]
  return `${[...lines, '</testsuites>'].join('\n')}\n`
}

function suiteLines(report: SuiteReport): string[] {
  const { suite, result } = report
  const head = attributes({
    name: suite,
    tests: result.results.length,
    failures: result.failed,
    errors: 0,
    skipped: skippedOf(report),
  })
  return [`  <testsuite${head}>`, ...result.results.flatMap((one) => caseLines(one, suite)), '  </testsuite>']
}

function skippedOf({ result }: SuiteReport): number {
  return result.skipped.total + result.known + result.differs
}

function caseLines(result: CaseResult, suite: string): string[] {
  const head = `    <testcase${attributes({ classname: result.rule === null ? suite : `${suite}.${result.rule}`, name: result.id })}`
  const inside = insideOf(result)
  return inside === null ? [`${head}/>`] : [`${head}>`, `      ${inside}`, '    </testcase>']
}

function insideOf(result: CaseResult): string | null {
  switch (result.verdict) {
    case 'passed':
      return null
    case 'skipped':
      return `<skipped${attributes({ message: result.skipReason ?? 'skipped' })}/>`
    case 'known':
      return `<skipped${attributes({ message: `known to fail: ${first(result)}` })}/>`
    case 'differs':
      return `<skipped${attributes({ message: `may differ: ${first(result)}` })}/>`
    case 'failed':
      return `<failure${attributes({ message: first(result) })}>${escaped(formatMismatch(result))}</failure>`
  }
}

function first({ mismatches: [mismatch] }: CaseResult): string {
  return mismatch === undefined ? '' : mismatchLine(mismatch)
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/\n/g, '&#10;')}"`)
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for XML 1.0; what it has no way to write (most control characters, halves of a pair) becomes U+FFFD. */
function escaped(text: string): string {
  const each = (character: string): string =>
    isWritable(character.codePointAt(0) ?? 0) ? (ENTITIES[character] ?? character) : '\ufffd'
  return Array.from(text, each).join('')
}

/** XML 1.0, production 2. */
function isWritable(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000
}
