import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { ConfigError } from '../config-error.js'
import type { Logger } from '../logger.js'

/** A file that lines are written to as they come. A disk that fails ends the recording and nothing else. */
export class TraceFile {
  readonly #stream: WriteStream
  #failed = false

  /** Begins the file, or begins it again. @throws ConfigError where that cannot be done, or it holds no trace */
  static async open(file: string, logger: Logger): Promise<TraceFile> {
    if (await holdsSomethingElse(file))
      throw new ConfigError(
        'options',
        'record',
        `${file} is there, and is no recorded trace; name another, or remove it`,
      )
    const stream = createWriteStream(file)
    try {
      await once(stream, 'open')
    } catch (error) {
      // fs rejects with errno exceptions only, hence the cast
      const { code } = error as NodeJS.ErrnoException
      throw new ConfigError('options', 'record', `${file} cannot be written (${code}); name a file that can`)
    }
    return new TraceFile(stream, file, logger)
  }

  private constructor(stream: WriteStream, file: string, logger: Logger) {
    this.#stream = stream
    stream.on('error', (error) => {
      this.#failed = true
      logger.error('trace not recorded any more', { file, error: error.message })
    })
  }

  write(line: string): void {
    if (!this.#failed) this.#stream.write(`${line}\n`)
  }

  /** Resolves when all that was written is in the file, or cannot be. */
  async close(): Promise<void> {
    if (this.#failed) return
    await new Promise<void>((resolve) => {
      this.#stream.once('close', resolve)
      this.#stream.end()
    })
  }
}

const BEGINS = '{"trace":'

/** Tokens, say, named by mistake: they would be lost at once. What is no file of bytes cannot be lost. */
async function holdsSomethingElse(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return false
  const handle = await open(file, 'r').catch(() => undefined)
  if (handle === undefined) return true
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(BEGINS.length) })
  await handle.close()
  return buffer.toString('latin1', 0, bytesRead) !== BEGINS
}
