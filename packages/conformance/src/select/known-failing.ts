import type { CaseResult } from '../run/case-result.js'
import { type TableResult, tally } from '../run/run-table.js'
import { globFilter, unmatchedGlobs } from './globs.js'

/** Cases that are known to fail: ids and globs, as a file lists them. */
export interface KnownFailing {
  /** For messages. */
  file: string
  entries: readonly { line: number; glob: string }[]
}

/** A list that names cases which do not exist. The message has one line a problem. */
export class KnownFailingError extends Error {
  override readonly name = 'KnownFailingError'
}

/** Reads a list: an id or a glob a line; what follows a `#` is a remark, and empty lines count for nothing. */
export function parseKnownFailing(text: string, file: string): KnownFailing {
  const entries = text.split('\n').flatMap((line, i) => {
    const glob = line.replace(/#.*/, '').trim()
    return glob === '' ? [] : [{ line: i + 1, glob }]
  })
  return { file, entries }
}

/**
 * Checks a list against every id there is, whether its case is run or not.
 *
 * @throws KnownFailingError naming each line that matches none.
 */
export function checkKnownFailing({ file, entries }: KnownFailing, ids: readonly string[]): void {
  const globs = entries.map(({ glob }) => glob)
  const unmatched = new Set(unmatchedGlobs(globs, ids))
  const lines = entries
    .filter(({ glob }) => unmatched.has(glob))
    .map(({ line, glob }) => `${file}: line ${line}: no case is called "${glob}"; take it off, or correct it`)
  if (lines.length > 0) throw new KnownFailingError(lines.join('\n'))
}

/**
 * What a run comes to with a list: a case on it that failed is `known` and fails nothing, and one that passed fails,
 * so that a list never holds more than is true. Cases that were skipped, or differ at level `may`, stay what they are.
 */
export function applyKnownFailing(result: TableResult, { file, entries }: KnownFailing): TableResult {
  const globs = entries.map(({ glob }) => glob)
  const listed = globs.length === 0 ? () => false : globFilter({ run: globs })
  return tally(result.results.map((one) => (listed(one.id) ? judged(one, file) : one)))
}

function judged(result: CaseResult, file: string): CaseResult {
  if (result.verdict === 'failed') return { ...result, verdict: 'known' }
  if (result.verdict !== 'passed') return result
  const mismatch = { field: 'known failing', expected: 'a failure', actual: `it passes: take it off ${file}` }
  return { ...result, verdict: 'failed', mismatches: [mismatch] }
}
