import type { DriverHello, DriverSession } from '../driver/protocol.js'
import { type HostClock, pause } from '../host-clock.js'
import type { SuiteReport } from '../report/report.js'
import type { CaseResult } from '../run/case-result.js'
import { Comparison } from '../run/mismatch.js'
import { differing, unplayed } from '../run/run-case.js'
import { tally } from '../run/run-table.js'
import type { Table } from '../table/table.js'
import type { Arrival } from './arrival.js'
import { Flights, type Landing } from './flight.js'
import { judgeArrivals, judgeTold } from './judge.js'
import { type ScriptedServer, scriptedServer } from './scripted-server.js'
import { reasonToSkip, type WireRow, wireRows } from './wire-row.js'

export interface WireOptions {
  /** Starts the driver: `wireProcess()` or `wireInProcess()`. Again, where a call of it had to be given up. */
  start: () => Promise<DriverSession>
  /** Their real_time rows of call-scenarios are played. */
  tables: readonly Table[]
  clock: HostClock
  /** Rows to play, by the ids they have here, `wire/…`. Default: all. */
  filter?: (id: string) => boolean
  /** Called once a row, in the tables' order. */
  onCase?: (result: CaseResult, suite: string) => void
  /** Called with what arrived for a row, once it has been judged: what a report links to. */
  onArrivals?: (id: string, arrivals: readonly Arrival[]) => void
  /** How much later than its wait says a request may arrive. Default 150; more on a slow machine. */
  toleranceMs?: number
  /** How much earlier: what a clock that counts whole milliseconds may be off. Default 1. */
  granularityMs?: number
  /** How long, beyond the longest expected wait, nothing more may arrive once a call has ended. Default 300. */
  quietMs?: number
  /** How many rows are played at a time. Default 8. */
  concurrency?: number
  /** How long after its due end a call may still be running before it is given up, and fails. Default 5 000. */
  graceMs?: number
}

export interface WireResult {
  driver: DriverHello
  suites: readonly SuiteReport[]
}

/**
 * Plays rows over real sockets: each is one call by the driver to a server of this process, judged by the requests that
 * arrive and when, and by what the driver tells of the end. A call that does not end is given up and fails its row; the
 * driver is then started anew for the rows that remain.
 *
 * @throws DriverError where the driver breaks the protocol.
 */
export async function runWire(options: WireOptions): Promise<WireResult> {
  const { tables, clock, filter = () => true } = options
  const suites: SuiteReport[] = []
  const server = await scriptedServer({ clock })
  let driver: DriverHello | null = null
  try {
    for (const table of tables) {
      const rows = wireRows(table).filter(({ row }) => filter(row.id))
      if (rows.length === 0) continue
      const results = new InOrder(rows, (result) => options.onCase?.(result, 'wire'))
      const queue = [...rows]
      for (let turn = 1; queue.length > 0; turn += 1) driver = await runTurn(queue, turn, server, results, options)
      suites.push({ suite: 'wire', file: table.file, result: tally(results.all()), untold: {} })
    }
    // Also where no row is left, so that who was asked is known.
    driver ??= await introduced(options)
  } finally {
    await server.close()
  }
  return { driver, suites }
}

async function introduced({ start }: WireOptions): Promise<DriverHello> {
  const session = await start()
  try {
    await session.close()
    return session.hello
  } finally {
    await session.kill()
  }
}

/** One session of the driver: as many rows of the queue as it can play. */
async function runTurn(
  queue: WireRow[],
  turn: number,
  server: ScriptedServer,
  results: InOrder,
  options: WireOptions,
): Promise<DriverHello> {
  const { start, clock, concurrency = 8, graceMs = 5_000 } = options
  const session = await start()
  const flights = new Flights(session, server, clock, graceMs)
  const judging: Promise<void>[] = []
  const notBegun: WireRow[] = []

  const work = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const reason = reasonToSkip(one, session.hello)
      if (reason !== null) {
        results.add({ ...unplayed(one.row), verdict: 'skipped', skipReason: reason })
        continue
      }
      const landing = await flights.fly(one, `${one.row.id.replace(/^.*\//, '')}${turn === 1 ? '' : `~${turn}`}`)
      if (landing.kind === 'not-begun') notBegun.push(one)
      else judging.push(judge(one, landing, results, options))
      if (flights.overdue) return
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
    await Promise.all(judging)
    if (!flights.overdue) await session.close()
  } finally {
    await session.kill()
  }
  queue.unshift(...notBegun)
  return session.hello
}

async function judge(
  one: WireRow,
  landing: Exclude<Landing, { kind: 'not-begun' }>,
  results: InOrder,
  options: WireOptions,
): Promise<void> {
  const { clock, toleranceMs = 150, granularityMs = 1, quietMs = 300 } = options
  const { row, request } = one
  const { arrivals } = landing.played
  if (landing.kind === 'answered' && 'skipped' in landing.answer) {
    results.add({ ...unplayed(row), verdict: 'skipped', skipReason: `driver: ${landing.answer.skipped}` })
    return
  }
  if (landing.kind === 'answered') await pause(clock, one.longestWaitMs + quietMs)
  const compare = new Comparison()
  judgeArrivals(compare, row, request, arrivals, { toleranceMs, granularityMs })
  if (landing.kind === 'overdue') compare.fail('call', 'an end', landing.why)
  else if ('error' in landing.answer) compare.fail('driver', 'an answer', `the error ${landing.answer.error}`)
  else if ('actual' in landing.answer) judgeTold(compare, row, landing.answer.actual)
  const differs = compare.mismatches.length > 0 ? { ...differing(row, [], compare), draw: null } : {}
  options.onArrivals?.(row.id, arrivals)
  results.add({ ...unplayed(row), ...differs, sends: arrivals.length, mustSend: true })
}

/** Results that come in any order, told in the order of their rows. */
class InOrder {
  readonly #rows: readonly WireRow[]
  readonly #tell: (result: CaseResult) => void
  readonly #results = new Map<string, CaseResult>()
  #told = 0

  constructor(rows: readonly WireRow[], tell: (result: CaseResult) => void) {
    this.#rows = rows
    this.#tell = tell
  }

  add(result: CaseResult): void {
    this.#results.set(result.id, result)
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#told += 1
      this.#tell(next)
    }
  }

  all(): CaseResult[] {
    return this.#rows.flatMap(({ row }) => this.#results.get(row.id) ?? [])
  }

  #next(): CaseResult | undefined {
    return this.#results.get(this.#rows[this.#told]?.row.id ?? '')
  }
}
