import type { Report } from './report.js'

/** For programs: one JSON object, with every case that did not simply pass in full. */
export function jsonReport({ subject, suites, durationMs }: Report): string {
  const report = {
    subject,
    duration_ms: Math.round(durationMs),
    suites: suites.map(({ suite, file, result, untold }) => ({
      suite,
      file,
      passed: result.passed,
      failed: result.failed,
      known: result.known,
      differs: result.differs,
      skipped: result.skipped.total,
      skipped_by_reason: result.skipped.byReason,
      untold,
      cases: result.results.map(({ id, rule, name, verdict, skipReason, mismatches, draw }) => ({
        id,
        rule,
        name,
        verdict,
        ...(skipReason === null ? {} : { skip_reason: skipReason }),
        ...(draw === null ? {} : { draw }),
        ...(mismatches.length === 0 ? {} : { mismatches: mismatches.map(withNulls) }),
      })),
    })),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** JSON drops what is undefined: here it means that nothing was told, and is said in words. */
function withNulls({ field, expected, actual }: { field: string; expected: unknown; actual: unknown }): object {
  return { field, expected: expected ?? null, ...(actual === undefined ? { missing: true } : { actual }) }
}
