import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { inForm } from './kept-form.js'
import { NotKeptError } from './not-kept-error.js'

/** One value on disk, which is there whole, as it was or as it is now, whenever the process ends. */
export class JsonFile {
  readonly #path: string
  /** One write after another: a later value is never overtaken. */
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /**
   * @param schema the form that it has
   * @returns undefined where there is none
   * @throws ConfigError where it cannot be read, or has another form
   */
  async read<T>(schema: z.ZodType<T>): Promise<T | undefined> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
      if (code === 'ENOENT') return undefined
      throw new ConfigError(this.#path, '(the file)', `cannot be read (${code}); give it back, or take it away`)
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new ConfigError(this.#path, '(the file)', 'is not JSON any more; put a copy of it there, or take it away')
    }
    return inForm(schema, value, this.#path)
  }

  /**
   * Fulfils once the value is on disk.
   * @param first what must come about before it holds, once it is known that the disk has room for it
   * @throws NotKeptError, or what `first` rejects with: then what was there before is there still
   */
  write(value: unknown, first: () => Promise<void> = async () => {}): Promise<void> {
    const written = this.#writing.then(() => this.#replace(JSON.stringify(value), first))
    this.#writing = written.catch(() => undefined) // told to whoever wrote it, not to the next
    return written
  }

  async #replace(text: string, first: () => Promise<void>): Promise<void> {
    const temporary = `${this.#path}.new`
    try {
      await this.#kept(() => writeSynced(temporary, text))
      await first()
      await this.#kept(() => rename(temporary, this.#path))
    } catch (error) {
      // What is left of it takes room that the disk may not have.
      await rm(temporary, { force: true }).catch(() => undefined)
      throw error
    }
    await this.#kept(() => syncFolder(dirname(this.#path)))
  }

  async #kept(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      throw new NotKeptError(this.#path, error)
    }
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name in a folder is on disk only when the folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
