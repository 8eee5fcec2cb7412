import { type BigIntStats, fstat } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { outputFile } from '../../output/output-file.js'
import { UsageError } from '../../usage-error.js'
import type { World } from '../../world.js'
import type { Replayed } from '../replay-trace.js'

/**
 * Looks at the file that is to hold the picture, before anything is read.
 * @param trace the file that is read; `-` is stdin
 * @returns what draws and writes it
 * @throws UsageError where it cannot be written, or is the trace itself
 */
export async function pictureFile(
  world: World,
  path: string,
  trace: string,
): Promise<(file: string, replayed: readonly Replayed[]) => Promise<void>> {
  const output = await outputFile(path).catch((error: unknown) => {
    // It knows itself as -o.
    throw error instanceof UsageError ? new UsageError(error.message.replace(/^-o:/, '--svg:')) : error
  })
  if (await isOneFile(statOf(path), trace === '-' ? statOfStdin(world) : statOf(trace)))
    throw new UsageError(`--svg: ${path} is the trace itself, which the picture would replace; name another file`)
  return async (file, replayed) => {
    const { picture } = await import('./picture.js')
    const open = await output.open()
    try {
      await open.write(picture(file, replayed))
      await open.keep()
    } finally {
      await open.drop()
    }
  }
}

/** By whatever names: links lead to it too. What is no file, as a terminal, may be read and written. */
async function isOneFile(...both: Promise<BigIntStats | null>[]): Promise<boolean> {
  const [one, other] = await Promise.all(both)
  if (!one?.isFile() || !other?.isFile()) return false
  return one.dev === other.dev && one.ino === other.ino
}

/** Exact: an inode may be a greater number than a double can hold. */
const statOf = (path: string): Promise<BigIntStats | null> => stat(path, { bigint: true }).catch(() => null)

/** A shell may have opened a file for it. */
async function statOfStdin({ stdin }: World): Promise<BigIntStats | null> {
  const { fd } = stdin as { readonly fd?: unknown }
  return typeof fd === 'number' ? promisify(fstat)(fd, { bigint: true }).catch(() => null) : null
}
