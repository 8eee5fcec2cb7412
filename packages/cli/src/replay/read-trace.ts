import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { codeOf } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { ReplayOptions } from './command.js'
import { packedByName, packedWords, textOf } from './packed.js'
import { progressOf } from './progress.js'
import type { Taker } from './read-csv.js'

/** How much is read at once. */
const CHUNK = 1 << 20

/**
 * Reads a trace, whatever its size, line by line.
 * @throws UsageError where it cannot be read, or is not what it should be
 */
export async function readTrace(world: World, file: string, options: ReplayOptions, taker: Taker): Promise<void> {
  const { signal } = world
  const name = file === '-' ? 'stdin' : file
  const asked = packedByName(file)
  if (asked !== null) throw new UsageError(packedWords(file, asked))
  const delimiter = options.delimiter ?? (/\.tsv$/i.test(file) ? '\t' : ',')
  const progress = progressOf(world, file === '-' ? null : await sizeOf(file))
  const bytes = file === '-' ? world.stdin : createReadStream(file, { highWaterMark: CHUNK })
  const text = textOf(progress.count(bytes), file)
  const source = addAbortSignal(signal, Readable.from(text, { objectMode: false, highWaterMark: CHUNK }))
  try {
    const format = options.format ?? formatOf(file) ?? (await beginsAsJson(source, signal))
    if (format === 'ndjson') await (await import('./read-ndjson.js')).readNdjson(source, { name }, taker)
    else await (await import('./read-csv.js')).readCsv(source, { name, delimiter, signal }, taker)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw cannotRead(name, error)
    throw error
  } finally {
    progress.end()
    source.destroy()
  }
}

/** By the ending of its name. */
function formatOf(file: string): ReplayOptions['format'] {
  if (/\.(ndjson|jsonl|json)$/i.test(file)) return 'ndjson'
  return /\.(csv|tsv)$/i.test(file) ? 'csv' : undefined
}

/** By its first character that is no white space: no name of a column begins with a brace, or a bracket and one. */
async function beginsAsJson(source: Readable, signal: AbortSignal): Promise<'csv' | 'ndjson'> {
  await once(source, 'readable', { signal })
  const first: Buffer | null = source.read()
  if (first !== null) source.unshift(first)
  return /^\uFEFF?\s*(\[\s*)?\{/.test(first?.subarray(0, 1024).toString('utf8') ?? '') ? 'ndjson' : 'csv'
}

const cannotRead = (name: string, error: unknown): UsageError =>
  new UsageError(`${name} cannot be read (${codeOf(error)})`)

async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file)
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    return found.isFile() ? found.size : null // a pipe has no size
  } catch (error) {
    throw cannotRead(file, error)
  }
}
