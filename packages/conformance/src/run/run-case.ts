import type { MakeClock } from '../clock.js'
import type { Subject } from '../subject.js'
import type { IngestScenario, MachineConfig } from '../table/ingest-table.js'
import type { LimitConfig, LimitScenario } from '../table/limit-table.js'
import type { SharedScenario } from '../table/shared-scenario.js'
import {
  type CallScenario,
  isShared,
  type RetryCase,
  type Table,
  type TableCase,
  type TablePolicy,
} from '../table/table.js'
import { replayScenario } from './call-scenario.js'
import type { CaseResult } from './case-result.js'
import { DRAWS } from './draws.js'
import { replayLimitScenario } from './limit-scenario.js'
import { replayMachineScenario } from './machine-scenario.js'
import { Comparison } from './mismatch.js'
import { replayDecision, replayRetryCase } from './retry-case.js'
import { replayShared } from './shared-scenario.js'

type Replay = (draws: readonly number[], compare: Comparison) => Promise<number>

/** One case of a table with the table's own policy: what can be replayed by itself. */
export type TableEntry =
  | { suite: 'retry-cases'; policy: TablePolicy; row: RetryCase }
  | { suite: 'call-scenarios'; policy: TablePolicy; row: CallScenario | SharedScenario }
  | { suite: 'backoff-scenarios'; config: LimitConfig; row: LimitScenario }
  /** The config is that of the row's own machine. */
  | { suite: 'ingest-scenarios'; config: MachineConfig; row: IngestScenario }

/** The cases of a table, each ready to be run. */
export function entriesOf(table: Table): TableEntry[] {
  switch (table.suite) {
    case 'retry-cases':
      return table.cases.map((row) => ({ suite: table.suite, policy: table.policy, row }))
    case 'call-scenarios':
      return table.cases.map((row) => ({ suite: table.suite, policy: table.policy, row }))
    case 'backoff-scenarios':
      return table.cases.map((row) => ({ suite: table.suite, config: table.config, row }))
    case 'ingest-scenarios':
      return table.cases.map((row) => ({ suite: table.suite, config: table.config[row.machine] ?? {}, row }))
  }
}

/** Whether a row is replayed by the pure decision alone. */
export function isDecision(row: TableCase): boolean {
  return 'scope' in row && row.scope === 'decision'
}

/**
 * Replays one case against a subject. Where the row states no draw it is replayed with each of 0, 0.5 and 1 − 2^−53,
 * and the first that differs is reported.
 */
export async function runCase(entry: TableEntry, subject: Subject, makeClock: MakeClock): Promise<CaseResult> {
  const { row } = entry
  const result = { ...unplayed(row), mustSend: mustSend(entry) }
  const skipReason = reasonToSkip(entry, subject)
  if (skipReason !== null) return { ...result, verdict: 'skipped', skipReason }

  const replay = replayOf(entry, subject, makeClock)
  let sends = 0
  for (const draws of drawsOf(row)) {
    const compare = new Comparison()
    sends += await replay(draws, compare)
    if (compare.mismatches.length > 0) {
      return { ...result, ...differing(row, draws, compare), sends }
    }
  }
  return { ...result, sends }
}

/** The result of a case about which nothing is known yet. */
export function unplayed(row: TableCase): CaseResult {
  return {
    id: row.id,
    rule: row.rule,
    name: row.name,
    scope: isDecision(row) ? 'decision' : 'call',
    verdict: 'passed',
    skipReason: null,
    mismatches: [],
    draw: null,
    sends: 0,
    mustSend: false,
  }
}

/** What becomes of a result when a case differed with these draws. */
export function differing(
  row: TableCase,
  draws: readonly number[],
  { mismatches }: Comparison,
): Pick<CaseResult, 'verdict' | 'mismatches' | 'draw'> {
  const verdict = row.level === 'may' ? 'differs' : 'failed'
  return { verdict, mismatches, draw: hasDraws(row) && row.random === undefined ? (draws[0] ?? null) : null }
}

function replayOf(entry: TableEntry, subject: Subject, makeClock: MakeClock): Replay {
  if (entry.suite === 'backoff-scenarios') {
    return async (_, compare) => {
      if (subject.limit !== undefined)
        await replayLimitScenario(entry.row, entry.config, subject.limit, makeClock, compare)
      return 0
    }
  }
  if (entry.suite === 'ingest-scenarios') {
    return async (_, compare) => {
      if (subject.machine !== undefined)
        await replayMachineScenario(entry.row, entry.config, subject.machine, makeClock, compare)
      return 0
    }
  }
  if (entry.suite === 'call-scenarios') {
    const { policy, row } = entry
    if (!isShared(row)) return (draws, compare) => replayScenario(row, policy, draws, subject, makeClock, compare)
    return async (draws, compare) =>
      subject.share ? replayShared(row, policy, draws, subject.share, makeClock, compare) : 0
  }
  if (!isDecision(entry.row)) {
    return ([draw = 0], compare) => replayRetryCase(entry.row, entry.policy, draw, subject, makeClock, compare)
  }
  return async ([draw = 0], compare) => {
    await replayDecision(entry.row, entry.policy, draw, subject, compare)
    return 0
  }
}

/** The draws a case is played with: one list a replay. */
export function drawsOf(row: TableCase): readonly (readonly number[])[] {
  if (!hasDraws(row)) return [[]]
  if (row.random === undefined) return DRAWS.map((draw) => [draw])
  return [typeof row.random === 'number' ? [row.random] : row.random]
}

/** A limiter draws nothing, and a machine what its config says. */
function hasDraws(row: TableCase): row is RetryCase | CallScenario | SharedScenario {
  return !('steps' in row)
}

function reasonToSkip(entry: TableEntry, subject: Subject): string | null {
  const { row } = entry
  const lacking = row.needs.find((need) => subject.features !== undefined && !subject.features.includes(need))
  if (lacking !== undefined) return `needs ${lacking}`
  if (entry.suite === 'backoff-scenarios') return subject.limit === undefined ? 'no limiter' : null
  if (entry.suite === 'ingest-scenarios') return subject.machine === undefined ? 'no machines' : null
  if (isShared(row)) return subject.share === undefined ? 'no limiter' : null
  if (isDecision(row) && subject.decide === undefined) return 'decision'
  const body = ('request' in row ? row.request?.body : 'body' in row ? row.body : undefined) ?? 'none'
  if (subject.bodies?.includes(body) === false) return `body ${body}`
  return null
}

function mustSend({ suite, row }: TableEntry): boolean {
  if ('steps' in row) return false
  if (isShared(row)) return row.calls.some(({ expect }) => expect.sends !== 0)
  if (isDecision(row) || row.expect.policy_error !== undefined) return false
  return suite === 'retry-cases' || row.expect.sends !== 0
}
