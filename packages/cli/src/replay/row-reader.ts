import { isSample, type ReplaySample } from '@sluice/core/replay'
import { UsageError } from '../usage-error.js'
import type { ColumnName, Columns } from './columns.js'
import type { ReplayOptions, Unit } from './command.js'
import { figureOf, inMs, isMoment, isoMs, unitOfTime } from './instant.js'
import { doubtOf, UnitCheck } from './unit-check.js'

/** A line as it was written: absent, or text, or what JSON can hold. */
export type Row = Readonly<Partial<Record<ColumnName, unknown>>>

/** So that one line cannot stop the replay for a minute. */
const MOST_COUNT = 10_000_000

/** Makes samples of lines. Knows the line before: time does not run backwards. */
export class RowReader {
  readonly check: UnitCheck
  readonly #name: string
  readonly #originMs: number | null
  readonly #originName: string
  readonly #latencyUnit: Unit
  readonly #retryAfterUnit: Unit
  readonly #waitedUnit: Unit
  readonly #isTimeUnitGuess: boolean
  #timeUnit: Unit | null
  #beforeMs = Number.NEGATIVE_INFINITY
  #beforeLine = 0

  /**
   * @param name the file's, for messages
   * @param columns whose names may tell the unit
   * @param begins when the limiter was made; and whether the trace was recorded of one, and so written by a program of ours
   */
  constructor(
    name: string,
    options: ReplayOptions,
    columns: Columns,
    { originMs, isRecorded }: { readonly originMs: number | null; readonly isRecorded: boolean },
  ) {
    const suffix = suffixOf(columns.latency)
    this.#name = name
    this.#originMs = originMs
    this.#originName = options.origin === undefined ? 'origin (trace.created_at_ms)' : '--origin'
    this.#timeUnit = options.timeUnit ?? null
    this.#isTimeUnitGuess = this.#timeUnit === null
    this.#latencyUnit = options.latencyUnit ?? suffix ?? 'ms'
    this.#retryAfterUnit = suffixOf(columns.retryAfter ?? '') ?? 'ms'
    this.#waitedUnit = suffixOf(columns.waited ?? '') ?? 'ms'
    this.check = new UnitCheck(isRecorded ? null : doubtOf(options.latencyUnit, suffix), columns.latency)
  }

  /** @throws UsageError that names the line, the value and the remedy */
  read(row: Row, line: number): ReplaySample {
    const atMs = this.#time(row.time, line)
    const status = this.#status(row.status, line)
    const timeout = this.#timeout(row.timeout, line)
    const counts = isSample({ status, timeout })
    return {
      atMs,
      latencyMs: isEmpty(row.latency) && !counts ? Number.NaN : this.#latency(row.latency, line, counts),
      status,
      retryAfterMs: this.#wait(row.retryAfter, this.#retryAfterUnit, line),
      count: this.#count(row.count, line),
      timeout,
      inFlight: this.#inFlight(row.inFlight, line),
      waitedMs: this.#wait(row.waited, this.#waitedUnit, line) ?? undefined,
      period: isEmpty(row.period) ? null : String(row.period),
    }
  }

  #time(value: unknown, line: number): number {
    const atMs = this.#moment(value, line)
    if (!isMoment(atMs))
      throw this.#unreadable(
        line,
        `${shown(value)} is no time; it must be ISO 8601, or a number of s or ms since the epoch, in the years 0 to 9999`,
      )
    if (atMs < this.#beforeMs)
      throw this.#wrong(
        line,
        `${shown(value)} is before the time of line ${this.#beforeLine}; sort the file by the time at which attempts ended`,
      )
    if (this.#originMs !== null && atMs < this.#originMs)
      throw this.#wrong(
        line,
        `${shown(value)} is before ${this.#originName}; give an ${this.#originName} no later than the first line`,
      )
    this.#beforeMs = atMs
    this.#beforeLine = line
    return atMs
  }

  #moment(value: unknown, line: number): number {
    const figure = figureOf(value)
    if (Number.isNaN(figure)) return isoMs(value)
    if (this.#timeUnit === null) {
      this.#timeUnit = unitOfTime(figure)
      this.check.time(figure, this.#timeUnit)
    } else if (this.#isTimeUnitGuess && unitOfTime(figure) !== this.#timeUnit)
      throw this.#wrong(
        line,
        `${shown(value)} looks like ${unitOfTime(figure)} since the epoch, and the times before it like ${this.#timeUnit}; --time-unit says what all of them are`,
      )
    return inMs(figure, this.#timeUnit)
  }

  #latency(value: unknown, line: number, counts: boolean): number {
    const figure = figureOf(value)
    const latencyMs = inMs(figure, this.#latencyUnit)
    if (!isBounded(latencyMs))
      throw this.#unreadable(line, `${shown(value)} is no latency; it must be ${boundOf(latencyMs)}`)
    if (counts) this.check.latency(latencyMs)
    return latencyMs
  }

  #status(value: unknown, line: number): number | null {
    if (isEmpty(value)) return null
    const status = figureOf(value)
    // 0 stands for "no answer" in many logs.
    if (Number.isInteger(status) && status >= 0 && status <= 999) return status
    throw this.#unreadable(line, `${shown(value)} is no HTTP status; --status-column names another column`)
  }

  #wait(value: unknown, unit: Unit, line: number): number | null {
    if (isEmpty(value)) return null
    const waitMs = inMs(figureOf(value), unit)
    if (isBounded(waitMs)) return waitMs
    throw this.#unreadable(line, `${shown(value)} is no wait; it must be ${boundOf(waitMs)}, or empty`)
  }

  #inFlight(value: unknown, line: number): number | null {
    if (isEmpty(value)) return null
    const figure = figureOf(value)
    if (isBounded(figure)) return figure // a mean, where a line stands for many
    throw this.#unreadable(line, `${shown(value)} is no number in flight; it must be ${boundOf(figure)}, or empty`)
  }

  #count(value: unknown, line: number): number {
    if (isEmpty(value)) return 1
    const count = figureOf(value)
    if (Number.isInteger(count) && count >= 0 && count <= MOST_COUNT) return count
    throw this.#unreadable(line, `${shown(value)} is no count; it must be a whole number from 0 to ${MOST_COUNT}`)
  }

  #timeout(value: unknown, line: number): boolean {
    if (isEmpty(value) || /^(false|0|no)$/i.test(String(value))) return false
    if (/^(true|1|yes)$/i.test(String(value))) return true
    throw this.#unreadable(line, `${shown(value)} does not say whether it timed out; write true or false`)
  }

  /** A replay without the line would be one of another trace: whether it may be left out is for people to say. */
  #unreadable(line: number, what: string): UsageError {
    return this.#wrong(line, `${what}. Correct the line, or leave it out: it ends the replay`)
  }

  #wrong(line: number, what: string): UsageError {
    return new UsageError(`${this.#name}, line ${line}: ${what}`)
  }
}

/** Sums of more would be no numbers any more. */
const isBounded = (figure: number): boolean => figure >= 0 && figure <= Number.MAX_SAFE_INTEGER

const boundOf = (figure: number): string => (figure > 0 ? 'below 2^53' : 'a number of at least 0')

/** The unit that the name of a column ends with. */
const suffixOf = (column: string): Unit | undefined =>
  /_(s|us|ns|ms)$/i.exec(column)?.[1]?.toLowerCase() as Unit | undefined // the pattern allows no other

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
