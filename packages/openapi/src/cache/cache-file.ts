import { type FileHandle, open } from 'node:fs/promises'
import type { Operation } from '../model/operation.js'
import { isRecord } from '../read/is-record.js'
import type { CacheIndex } from './document-cache.js'

/** Of the file's layout and of what the reader makes of a document: with another number it is read anew. */
const FORMAT = 1

/** The first line: the format and the length of the index; always this many bytes. */
const HEAD_BYTES = 40
export const head = (indexBytes: number): string =>
  `${`sluice-openapi ${FORMAT} ${indexBytes}`.padEnd(HEAD_BYTES - 1)}\n`

/** The index of a file, and where its operations begin. */
interface FoundIndex {
  readonly index: CacheIndex
  readonly start: number
}

/** null where the file is missing, damaged, or of another format. */
export const readIndex = (path: string): Promise<FoundIndex | null> =>
  reading(path, async (file) => {
    const first = await slice(file, 0, HEAD_BYTES)
    const indexBytes = Number(first.split(' ')[2])
    if (!Number.isInteger(indexBytes) || first !== head(indexBytes)) return null
    const { size } = await file.stat()
    const start = HEAD_BYTES + indexBytes
    // Before memory is set aside for it.
    if (start > size) return null
    const index: unknown = JSON.parse(await slice(file, HEAD_BYTES, indexBytes))
    return isIndex(index) && index.lengths.reduce((sum, length) => sum + length, start) === size
      ? { index, start }
      : null
  })

/** One operation; null where it is not what the index says. */
export const readOperation = (path: string, { index, start }: FoundIndex, number: number): Promise<Operation | null> =>
  reading(path, async (file) => {
    const offset = index.lengths.slice(0, number).reduce((sum, length) => sum + length, start)
    const operation: unknown = JSON.parse(await slice(file, offset, index.lengths[number] ?? 0))
    const { id, method, path: template } = index.operations[number] ?? {}
    const same =
      isRecord(operation) && operation.id === id && operation.method === method && operation.path === template
    // The line as it was written: the format and the sizes fit, and it is the operation that the index names.
    return same ? (operation as unknown as Operation) : null
  })

async function reading<T>(path: string, read: (file: FileHandle) => Promise<T | null>): Promise<T | null> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    return await read(file)
  } catch {
    return null // whatever is wrong with it: the source is read instead
  } finally {
    await file?.close()
  }
}

async function slice(file: FileHandle, offset: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.toString('utf8', 0, bytesRead)
}

/** Damage is found by size and syntax; this refuses what was never an index. */
const isIndex = (value: unknown): value is CacheIndex =>
  isRecord(value) &&
  isRecord(value.stamp) &&
  isRecord(value.about) &&
  Array.isArray(value.operations) &&
  Array.isArray(value.lengths) &&
  value.operations.length === value.lengths.length
