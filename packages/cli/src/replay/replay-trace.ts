import { LimitReplay, type ReplayResult } from '@sluice/core/replay'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { columnWords } from './column-words.js'
import { ColumnError, columnsOf } from './columns.js'
import type { ReplayOptions } from './command.js'
import { momentOf } from './instant.js'
import { readTrace } from './read-trace.js'
import { type RecordedLimiter, readRecordedLimiter } from './recorded-limiter.js'
import { RowReader } from './row-reader.js'
import type { UnitCheck } from './unit-check.js'
import { type Variant, variantsOf } from './variants.js'

/** A choice of thresholds, and what came of it. */
export interface Replayed extends Variant {
  readonly result: ReplayResult
}

/** What came of all choices. */
export interface ReplayedTrace {
  readonly replayed: readonly Replayed[]
  /** The limiter that the trace was recorded of, where it says so. */
  readonly recorded: RecordedLimiter | null
  /** Of data, also those that stand for nothing. */
  readonly lines: number
  readonly warnings: readonly string[]
  /** Whether times may be ms that were taken for seconds. */
  readonly doubtsTime: boolean
}

/**
 * Reads a trace once, for all choices of thresholds.
 * @param warn told what is doubtful where the reading fails: it may be why
 * @throws UsageError where an option or the trace is at fault
 */
export async function replayTrace(
  world: World,
  file: string,
  options: ReplayOptions,
  warn: (warnings: readonly string[]) => Promise<void>,
): Promise<ReplayedTrace> {
  const name = file === '-' ? 'stdin' : file
  const given = options.origin === undefined ? null : momentOf(options.origin, options.timeUnit ?? null)
  if (Number.isNaN(given))
    throw new UsageError(`--origin: ${options.origin} is no time; write 2026-01-31T12:00:00Z, say`)
  let originMs = given
  let recorded: RecordedLimiter | null = null
  let runs = runsOf(options, originMs)
  let rows: RowReader | null = null
  let lines = 0
  try {
    await readTrace(world, file, options, {
      recorded(trace, line) {
        recorded = readRecordedLimiter(trace, `${name}, line ${line}`)
        originMs ??= recorded.createdAtMs
        runs = runsOf(options, originMs, recorded)
      },
      begin(present, open) {
        const columns = columnsOf(present, options, open)
        rows = new RowReader(name, options, columns, { originMs, isRecorded: recorded !== null })
        return columns
      },
      row(row, line) {
        lines++
        const sample = rows?.read(row, line)
        if (sample !== undefined) for (const { run } of runs) run.add(sample)
      },
    })
  } catch (error) {
    if (error instanceof ColumnError) throw new UsageError(await columnWords(name, error))
    if (error instanceof UsageError || error instanceof RangeError) await warn(checkOf(rows)?.warnings ?? [])
    // The engine refuses one thing that the reader of rows does not: too many periods.
    if (error instanceof RangeError)
      throw new UsageError(`${name}: ${error.message.replace(/^\w+: /, '')}; sum up by fewer: --period day, say`)
    throw error
  }
  const replayed = runs.map(({ variant, run }) => ({ ...variant, result: run.finish() }))
  const check = checkOf(rows)
  return { replayed, recorded, lines, warnings: check?.warnings ?? [], doubtsTime: check?.doubtsTime ?? false }
}

function runsOf(options: ReplayOptions, originMs: number | null, recorded: RecordedLimiter | null = null) {
  return variantsOf({ ...options }, recorded?.fields).map((variant) => {
    const { limit, prior, isOwn } = variant
    const asks = recorded?.enforced === true && !isOwn // L21: what was recorded of this very limit has the answer in it
    return { variant, run: new LimitReplay({ limit, prior, asks, originMs, periodMs: options.period ?? null }) }
  })
}

/** Taken apart from where it is set, within a callback, which types do not follow. */
const checkOf = (rows: RowReader | null): UnitCheck | undefined => rows?.check
