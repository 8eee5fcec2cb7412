import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './json-file.js'

/** How a log is kept. */
export interface LineLogOptions {
  /** Without the ending: `notices` is `notices.ndjson`, and what came before it `notices.1.ndjson`. */
  readonly path: string
  /** A file with more is put aside, and the one that was put aside before is gone. */
  readonly maxBytes: number
  /** Whether its file stays open between two writes. Default true; of thousands of logs that are seldom written, not. */
  readonly isKeptOpen?: boolean
}

/**
 * Lines on disk, the newest of them: two files, each up to a size. A line that a crash cut off, or a disk that was full, is
 * no line, and takes none of the others along.
 */
export class LineLog {
  readonly #path: string
  readonly #before: string
  readonly #maxBytes: number
  readonly #isKeptOpen: boolean
  #file: FileHandle | undefined
  #bytes = 0
  /** What waits for the write that is under way. */
  #waiting: string[] = []
  #isToBeSynced = false
  #writing: Promise<void> | undefined
  /** What comes next waits for what came before. */
  #last: Promise<void> = Promise.resolve()

  constructor({ path, maxBytes, isKeptOpen = true }: LineLogOptions) {
    this.#path = `${path}.ndjson`
    this.#before = `${path}.1.ndjson`
    this.#maxBytes = maxBytes
    this.#isKeptOpen = isKeptOpen
  }

  /**
   * Fulfils once the lines are written. Those that come during a write share the next one.
   * @param lines none: those that came before
   * @param isSynced whether they must outlive the machine, and not only this process
   * @throws what the file system says: then they may be there or not
   */
  append(lines: readonly string[], isSynced: boolean): Promise<void> {
    this.#waiting.push(...lines)
    this.#isToBeSynced ||= isSynced
    if (this.#writing === undefined) {
      const writing = this.#last.then(() => this.#write())
      this.#writing = writing
      this.#last = writing.catch(() => undefined) // told to whoever wrote
    }
    return this.#writing
  }

  /** All lines, the oldest first. */
  async read(): Promise<string[]> {
    await this.#last
    const texts = await Promise.all([contentOf(this.#before), contentOf(this.#path)])
    return texts.flatMap((text) => text.split('\n').slice(0, -1)).filter((line) => line !== '')
  }

  /** Fulfils when what was written is on disk. */
  async close(): Promise<void> {
    await this.#last
    try {
      await this.#file?.sync()
    } finally {
      await this.#letGo()
    }
  }

  /** Takes all lines away, for good. */
  async remove(): Promise<void> {
    await this.close()
    await Promise.all([this.#before, this.#path].map((path) => rm(path, { force: true })))
  }

  async #write(): Promise<void> {
    const lines = this.#waiting.splice(0)
    const isSynced = this.#isToBeSynced
    this.#isToBeSynced = false
    this.#writing = undefined
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maxBytes) await this.#putAside()
      this.#file ??= await this.#open()
      await this.#file.appendFile(bytes)
      this.#bytes += bytes.length
      if (isSynced) await this.#file.datasync()
      if (!this.#isKeptOpen && this.#waiting.length === 0) await this.#letGo()
    } catch (error) {
      // It may be there in part: whoever opens it again ends that line before writing another.
      await this.#letGo()?.catch(() => undefined)
      throw error
    }
  }

  async #open(): Promise<FileHandle> {
    const file = await open(this.#path, 'a+', 0o600)
    try {
      const { size } = await file.stat()
      this.#bytes = size
      if (size === 0) await syncFolder(dirname(this.#path)) // it may be new
      const [last] = size === 0 ? [] : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer
      if (last !== undefined && last !== 10) await file.appendFile('\n')
      return file
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
  }

  async #putAside(): Promise<void> {
    await this.#file?.datasync() // who asks for what was added to be on disk asks the new file alone
    await this.#letGo()
    this.#bytes = 0
    await rename(this.#path, this.#before)
  }

  #letGo(): Promise<void> | undefined {
    const file = this.#file
    this.#file = undefined
    return file?.close()
  }
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '' // fs rejects with errno exceptions only
    throw error
  }
}

/** A file's name for what may be named alike but for the case of a letter, or be no name of a file at all. */
export function fileNameOf(folder: string, name: string): string {
  return join(folder, createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 32))
}
