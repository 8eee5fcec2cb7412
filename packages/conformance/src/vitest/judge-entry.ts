import type { CaseResult } from '../run/case-result.js'

/** A case counts only where the package itself was called, and where a call is asked for, only where it sent something. */
export function judgeEntry(result: CaseResult, callsThroughEntry: number, entry: string): CaseResult {
  if (result.verdict === 'skipped') return result
  if (callsThroughEntry === 0) {
    const field = `not called through its public entry: no export of ${entry}`
    return failed(result, { field, expected: 'called', actual: 'not called' })
  }
  if (result.mustSend && result.sends === 0) {
    return failed(result, { field: 'sends through the given fetch', expected: 'at least one', actual: 0 })
  }
  return result
}

function failed(result: CaseResult, mismatch: CaseResult['mismatches'][number]): CaseResult {
  return { ...result, verdict: 'failed', mismatches: [mismatch, ...result.mismatches] }
}
