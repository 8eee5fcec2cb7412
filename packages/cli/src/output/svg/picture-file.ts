import { type BigIntStats, fstat } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { UsageError } from '../../usage-error.js'
import type { World } from '../../world.js'
import { outputFile } from '../output-file.js'

/** What is read beside the picture that is written: never the same file. */
export interface PictureSource {
  /** A file; `-` is stdin; null: there is none. */
  readonly path: string | null
  /** What it is: `trace`. */
  readonly what: string
}

/**
 * Looks at the file that is to hold a picture, before anything is read.
 * @returns what writes it, once it is drawn
 * @throws UsageError where it cannot be written, or is what is read itself
 */
export async function pictureFile(
  world: World,
  path: string,
  source: PictureSource,
): Promise<(svg: string) => Promise<void>> {
  const output = await outputFile(path).catch((error: unknown) => {
    // It knows itself as -o.
    throw error instanceof UsageError ? new UsageError(error.message.replace(/^-o:/, '--svg:')) : error
  })
  if (source.path !== null && (await isOneFile(statOf(path), statOfSource(world, source.path))))
    throw new UsageError(
      `--svg: ${path} is the ${source.what} itself, which the picture would replace; name another file`,
    )
  return async (svg) => {
    const open = await output.open()
    try {
      await open.write(svg)
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

const statOfSource = (world: World, path: string): Promise<BigIntStats | null> =>
  path === '-' ? statOfStdin(world) : statOf(path)

/** Exact: an inode may be a greater number than a double can hold. */
const statOf = (path: string): Promise<BigIntStats | null> => stat(path, { bigint: true }).catch(() => null)

/** A shell may have opened a file for it. */
async function statOfStdin({ stdin }: World): Promise<BigIntStats | null> {
  const { fd } = stdin as { readonly fd?: unknown }
  return typeof fd === 'number' ? promisify(fstat)(fd, { bigint: true }).catch(() => null) : null
}
