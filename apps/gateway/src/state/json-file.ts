import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../config-error.js'

/** One value on disk, which is there whole, as it was or as it is now, whenever the process ends. */
export class JsonFile {
  readonly #path: string
  /** One write after another: a later value is never overtaken. */
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /**
   * @returns undefined where there is none
   * @throws ConfigError where it cannot be read
   */
  async read(): Promise<unknown> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
      if (code === 'ENOENT') return undefined
      throw new ConfigError(this.#path, '(the file)', `cannot be read (${code}); give it back, or take it away`)
    }
    try {
      return JSON.parse(text)
    } catch {
      throw new ConfigError(this.#path, '(the file)', 'is not JSON any more; put a copy of it there, or take it away')
    }
  }

  /** Fulfils once the value is on disk. @throws what the file system says: then what was there before is there still */
  write(value: unknown): Promise<void> {
    const written = this.#writing.then(() => this.#replace(JSON.stringify(value)))
    this.#writing = written.catch(() => undefined) // told to whoever wrote it, not to the next
    return written
  }

  async #replace(text: string): Promise<void> {
    const temporary = `${this.#path}.new`
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.#path)
    await syncFolder(dirname(this.#path))
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
