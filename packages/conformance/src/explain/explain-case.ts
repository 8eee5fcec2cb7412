import { runOf } from '../driver/run-session.js'
import { drawsOf, entriesOf, type TableEntry } from '../run/run-case.js'
import { loadTable } from '../table/load.js'
import { isRecord } from '../table/problem.js'
import { specTable } from '../table/schemas.js'
import type { SharedScenario } from '../table/shared-scenario.js'
import { type CallScenario, isShared, type RetryCase, SUITES, type Table } from '../table/table.js'
import { nearest } from './nearest.js'
import { ruleSentence } from './rule-text.js'

/** No case has this id. The message names those that come nearest. */
export class UnknownCaseError extends Error {
  override readonly name = 'UnknownCaseError'
}

/**
 * One case in words: its rule, the input, what must come of it, and the line that a driver is sent.
 *
 * @param id with its suite, or without it; `wire/…` is the row of call-scenarios.
 * @param tables default: those of @sluice/spec.
 * @throws UnknownCaseError
 */
export function explainCase(id: string, tables: readonly Table[] = specTables()): string {
  const entry = entryOf(id, tables.flatMap(entriesOf))
  const { row } = entry
  const sentence = row.rule === null ? null : ruleSentence(row.rule)
  const [draws = []] = drawsOf(row)
  return [
    row.id,
    row.name,
    ...(row.rule === null ? [] : ['', sentence === null ? row.rule : `${row.rule}: ${sentence}`]),
    ...('catches' in row ? [`Catches: ${row.catches}`] : []),
    ...(row.source === undefined ? [] : [`Source: ${row.source}`]),
    ...(row.needs.length === 0 ? [] : [`Skipped without: ${row.needs.join(', ')}`]),
    ...(row.level === 'may' ? ['What differs is reported, and fails nothing.'] : []),
    '',
    'given',
    ...fieldLines(givenOf(entry)),
    '',
    'expected',
    ...fieldLines(expectedOf(entry)),
    '',
    'as a driver is asked it',
    `  ${JSON.stringify({ cmd: 'run', seq: 1, ...runOf(entry, draws) })}`,
    '',
  ].join('\n')
}

function specTables(): Table[] {
  return SUITES.map((suite) => loadTable(specTable(suite)))
}

function entryOf(id: string, entries: readonly TableEntry[]): TableEntry {
  const wanted = id.replace(/^wire\//, 'call-scenarios/')
  const found = entries.filter(({ row }) => row.id === wanted || row.id.endsWith(`/${wanted}`))
  const [entry] = found
  if (entry !== undefined && found.length === 1) return entry
  const ids = (found.length > 0 ? found : entries).map(({ row }) => row.id)
  const near = found.length > 0 ? ids : nearest(wanted, ids, 3)
  const advice = near.length === 0 ? 'list the cases to see what there is' : `did you mean ${near.join(' or ')}?`
  throw new UnknownCaseError(`${found.length > 0 ? 'several cases are' : 'no case is'} called "${id}"; ${advice}`)
}

/** The input: what the row says itself, its policy only where it differs from the table's. */
function givenOf(entry: TableEntry): Record<string, unknown> {
  if (entry.suite === 'backoff-scenarios') {
    return configGiven(entry.row.config)
  }
  if (entry.suite === 'ingest-scenarios') {
    const { machine, config } = entry.row
    return { machine, ...configGiven(config) }
  }
  const { row } = entry
  const { policy, random, ...input } = isShared(row) ? sharedGiven(row) : singleGiven(row)
  const where = policy?.preset === undefined ? 'policy, where it differs from the table’s' : 'policy'
  return {
    ...input,
    ...(policy === undefined ? { policy: 'the table’s' } : { [where]: policy }),
    random: random ?? 'any: 0, 0.5 and 1 − 2^−53 are tried',
  }
}

function configGiven(config: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return { [config === undefined ? 'config' : 'config, where it differs from the table’s']: config ?? 'the table’s' }
}

function singleGiven({ id, rule, level, needs, name, source, expect, ...input }: RetryCase | CallScenario) {
  return input
}

/** Several calls without what they expect; the times of looks stand with what they expect. */
function sharedGiven({ id, rule, level, needs, name, source, catches, looks, ...input }: SharedScenario) {
  return { ...input, calls: input.calls.map(({ expect, ...call }) => call) }
}

function expectedOf(entry: TableEntry): Record<string, unknown> {
  if ('config' in entry) {
    const { steps, config_error } = entry.row
    return config_error === undefined ? { 'step by step': steps } : { config_error }
  }
  const { suite, row } = entry
  if (isShared(row)) {
    const looks = (row.looks ?? []).map(({ at_ms, expect }) => ({ at_ms, ...expect }))
    return { calls: row.calls.map((call) => call.expect), ...(looks.length > 0 && { looks }) }
  }
  const { expect } = row
  if (suite !== 'retry-cases' || !('retry' in expect) || expect.retry) return { ...expect }
  return { ...expect, fail_fast: 'fail_fast' in expect ? expect.fail_fast : false }
}

/** A line a field; lists of answers have one a line, in turn. */
function fieldLines(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!Array.isArray(value) || !value.some(isRecord)) return [`  ${name}: ${said(value)}`]
    return [`  ${name}:`, ...value.map((one, i) => `    ${i + 1}. ${said(one)}`)]
  })
}

function said(value: unknown): string {
  // A header's value is a string, whatever it looks like.
  if (typeof value === 'string') return /^$|^\s|\s$|^[\d.+-]+$/.test(value) ? JSON.stringify(value) : value
  if (!isRecord(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${isRecord(one) ? JSON.stringify(one) : said(one)}`)
    .join(', ')
}
