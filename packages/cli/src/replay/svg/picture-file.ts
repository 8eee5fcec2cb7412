import { outputFile } from '../../output/output-file.js'
import { UsageError } from '../../usage-error.js'
import type { Replayed } from '../replay.js'

/**
 * Looks at the file that is to hold the picture, before anything is read.
 * @returns what draws and writes it
 * @throws UsageError where it cannot be written, or there is more than one thing to draw
 */
export async function pictureFile(
  path: string,
  variants: number,
): Promise<(file: string, replayed: Replayed) => Promise<void>> {
  if (variants > 1) throw new UsageError(`--svg: a picture shows one choice of thresholds, and there are ${variants}`)
  const output = await outputFile(path).catch((error: unknown) => {
    // It knows itself as -o.
    throw error instanceof UsageError ? new UsageError(error.message.replace(/^-o:/, '--svg:')) : error
  })
  return async (file, replayed) => {
    const { picture } = await import('./picture.js')
    const open = await output.open()
    try {
      await open.write(picture(file, replayed.result))
      await open.keep()
    } finally {
      await open.drop()
    }
  }
}
