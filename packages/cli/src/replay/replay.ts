import { LimitReplay, type ReplayResult } from '@sluice/core/replay'
import { sinkOf } from '../output/sink.js'
import { printable } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { asJson } from './as-json.js'
import { asText } from './as-text.js'
import { columnWords } from './column-words.js'
import { ColumnError, columnsOf } from './columns.js'
import type { ReplayOptions } from './command.js'
import { momentOf } from './instant.js'
import { readTrace } from './read-trace.js'
import { RowReader } from './row-reader.js'
import { checkWindows, warningsOf } from './sample-check.js'
import { pictureFile } from './svg/picture-file.js'
import { type Variant, variantsOf } from './variants.js'

/** A choice of thresholds, and what came of it. */
export interface Replayed extends Variant {
  readonly result: ReplayResult
}

/**
 * `sluice replay`.
 * @returns 0
 * @throws UsageError where an option or the trace is at fault
 */
export async function replay(world: World, file: string, options: ReplayOptions): Promise<number> {
  const name = file === '-' ? 'stdin' : file
  const variants = variantsOf({ ...options })
  const originMs = options.origin === undefined ? null : momentOf(options.origin, options.timeUnit ?? null)
  if (Number.isNaN(originMs))
    throw new UsageError(`--origin: ${options.origin} is no time; write 2026-01-31T12:00:00Z, say`)
  const picture = options.svg === undefined ? null : await pictureFile(options.svg, variants.length)

  const { replayed, warnings } = await replayAll(world, file, name, options, variants, originMs)
  checkWindows(name, replayed)
  const stderr = sinkOf(world.stderr, 'stderr', world.signal)
  const all = [...warnings, ...warningsOf(replayed)]
  for (const warning of all) await stderr.write(`Warning: ${printable(warning)}\n`)
  const [first] = replayed
  if (first) await picture?.(name, first)
  const text = options.json ? asJson(name, replayed, all) : asText(name, replayed)
  await sinkOf(world.stdout, 'stdout', world.signal).write(`${text}\n`)
  return 0
}

/** Reads the trace once, for all choices of thresholds. */
async function replayAll(
  world: World,
  file: string,
  name: string,
  options: ReplayOptions,
  variants: readonly Variant[],
  originMs: number | null,
): Promise<{ replayed: readonly Replayed[]; warnings: readonly string[] }> {
  const runs = variants.map((variant) => {
    const { limit, prior } = variant
    return { variant, run: new LimitReplay({ limit, prior, originMs, periodMs: options.period ?? null }) }
  })
  const reader: { rows?: RowReader } = {}
  try {
    await readTrace(world, file, options, {
      begin(present, open) {
        const columns = columnsOf(present, options, open)
        reader.rows = new RowReader(name, options, columns.latency, originMs)
        return columns
      },
      row(row, line) {
        const sample = reader.rows?.read(row, line)
        if (sample !== undefined) for (const { run } of runs) run.add(sample)
      },
    })
  } catch (error) {
    if (error instanceof ColumnError) throw new UsageError(await columnWords(name, error))
    // The engine refuses one thing that the reader of rows does not: too many periods.
    if (error instanceof RangeError)
      throw new UsageError(`${name}: ${error.message.replace(/^\w+: /, '')}; sum up by fewer: --period day, say`)
    throw error
  }
  const replayed = runs.map(({ variant, run }) => ({ ...variant, result: run.finish() }))
  return { replayed, warnings: reader.rows?.check.warnings ?? [] }
}
