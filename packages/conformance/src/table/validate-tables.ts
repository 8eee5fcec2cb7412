import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Suite } from '@sluice/spec'
import { ruleSentences } from '../explain/rule-text.js'
import { findTables, loadEach, pathOf } from './load-tables.js'
import { isRecord } from './problem.js'

/** What came of a check of tables. */
export interface TableCheck {
  /** The tables that are sound. */
  tables: readonly { file: string; suite: Suite; cases: number }[]
  /** Everything that is wrong, a line each; none where all is well. */
  problems: readonly string[]
  /** The rules that the folder states itself, and so must cover; null where it states none. */
  rules: readonly string[] | null
}

/**
 * Checks a folder of tables, or one file: the schema, the ids, and, where the folder has a README.md that states rules
 * (`### R1` and so on), that every one of them has a case.
 *
 * Tables of every suite are checked, also of surface-cases, which nothing here replays.
 *
 * @throws TableError where the source cannot be read.
 */
export function validateTables(source: URL | string): TableCheck {
  const paths = findTables(source)
  const { tables, problems } = loadEach(paths)
  if (paths.length === 0) problems.push(`${pathOf(source)}: there is no table in it`)
  const rules = rulesOf(pathOf(source))
  if (rules !== null) problems.push(...uncovered(rules, pathOf(source)))
  const sound = tables.map(({ file, suite, cases }) => ({ file, suite, cases: cases.length }))
  return { tables: sound, problems, rules }
}

/** The rules that a folder's README.md states; null where it is no folder, or states none. */
function rulesOf(folder: string): string[] | null {
  const readme = join(folder, 'README.md')
  if (!statSync(folder).isDirectory() || !existsSync(readme)) return null
  const rules = [...ruleSentences(readFileSync(readme, 'utf8')).keys()]
  return rules.length === 0 ? null : rules
}

/** Cases count in whatever suite they are, also where their file is not sound. */
function uncovered(rules: readonly string[], folder: string): string[] {
  const covered = new Set(readdirSync(folder).flatMap((name) => rulesIn(join(folder, name))))
  return rules
    .filter((rule) => !covered.has(rule))
    .map((rule) => `${basename(folder)}: ${rule} has no case; add one that an implementation without the rule fails`)
}

function rulesIn(path: string): string[] {
  if (!path.endsWith('.json')) return []
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const cases = isRecord(value) && Array.isArray(value.cases) ? value.cases : []
    return cases.flatMap((row) => (isRecord(row) && typeof row.rule === 'string' ? [row.rule] : []))
  } catch {
    return [] // told as a problem of that file
  }
}
