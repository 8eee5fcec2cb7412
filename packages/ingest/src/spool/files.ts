import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Where something may fail, or a process may end: before and after everything that reaches the disk. */
export type FaultPoint = `${'before' | 'after'} ${'create' | 'write' | 'sync' | 'sync folder' | 'truncate' | 'remove'}`

/** Called at each point; what it throws is what the disk said. For tests. */
export type Fault = (point: FaultPoint) => void | Promise<void>

const NAME = /^(\d{16})-([0-9a-f]{8})\.spool$/

/** Which segment, as its name says. */
export interface SegmentName {
  /** It can hold this sequence number and higher ones, and few lower ones. */
  readonly first: number
  /** A secret that its checksums begin with. */
  readonly seed: number
  readonly path: string
}

/** One segment: a file that only grows. */
export interface SegmentFile extends SegmentName {
  readonly handle: FileHandle
  /** Bytes that are known to be on disk, up to the end of a record. */
  length: number
}

/** What the spool does to its folder, each act with its points of failure. */
export class SpoolFiles {
  readonly #folder: string
  readonly #fault: Fault

  constructor(folder: string, fault: Fault = () => {}) {
    this.#folder = folder
    this.#fault = fault
  }

  /** The segments there are, oldest first: each by the first sequence number that it can hold. */
  async list(): Promise<SegmentName[]> {
    const all = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error(`Spool.open: there is no folder ${this.#folder}; make it first`, { cause: error })
    })
    const names = all.filter((name) => NAME.test(name)).sort()
    return names.map((name) => {
      const [, first, seed = ''] = NAME.exec(name) ?? []
      return { first: Number(first), seed: Number.parseInt(seed, 16), path: join(this.#folder, name) }
    })
  }

  /** Bytes that the disk has left. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  read(path: string): Promise<Uint8Array> {
    return readFile(path)
  }

  /** Stretches of one segment, in turn; less where it ends before. */
  async readAt(path: string, stretches: readonly { offset: number; bytes: number }[]): Promise<Uint8Array[]> {
    const handle = await open(path, 'r')
    try {
      const all: Uint8Array[] = []
      for (const { offset, bytes } of stretches) {
        const content = new Uint8Array(bytes)
        let length = 0
        // One read may give less than is there, which is no end.
        for (let more = 1; length < bytes && more > 0; length += more)
          more = (await handle.read(content, length, bytes - length, offset + length)).bytesRead
        all.push(content.subarray(0, length))
      }
      return all
    } finally {
      await handle.close()
    }
  }

  async create(first: number): Promise<SegmentFile> {
    const seed = randomBytes(4).readUInt32BE()
    const name = `${String(first).padStart(16, '0')}-${seed.toString(16).padStart(8, '0')}.spool`
    const path = join(this.#folder, name)
    await this.#fault('before create')
    const handle = await open(path, 'ax', 0o600)
    try {
      await this.#fault('after create')
      await this.syncFolder()
    } catch (error) {
      await handle.close()
      await rm(path, { force: true }).catch(() => {}) // nothing is in it
      throw error
    }
    return { first, seed, path, handle, length: 0 }
  }

  /** Appends, and returns when it is on disk. What fails may be there in part: {@link truncate} it, or begin another segment. */
  async append(segment: SegmentFile, bytes: Uint8Array): Promise<void> {
    await this.#at('write', () => segment.handle.writeFile(bytes))
    await this.#at('sync', () => segment.handle.datasync())
    segment.length += bytes.length
  }

  /** Puts on disk what another process has written, and may not have come to put there. */
  async sync(path: string): Promise<void> {
    await this.#at('sync', () => using(path, 'r+', (handle) => handle.datasync()))
  }

  /** Cuts off what was never finished. */
  async truncate(path: string, length: number): Promise<void> {
    await this.#at('truncate', () =>
      using(path, 'r+', async (handle) => {
        await handle.truncate(length)
        await handle.sync()
      }),
    )
  }

  /** One that is gone already is only put on disk: it may be there again after a power cut. */
  async remove(path: string): Promise<void> {
    await this.#at('remove', () => rm(path, { force: true }))
    await this.syncFolder()
  }

  /** Puts on disk which segments there are. */
  async syncFolder(): Promise<void> {
    await this.#at('sync folder', () => using(this.#folder, 'r', (handle) => handle.sync()))
  }

  async #at<T>(what: 'write' | 'sync' | 'sync folder' | 'truncate' | 'remove', act: () => Promise<T>): Promise<T> {
    await this.#fault(`before ${what}`)
    const result = await act()
    await this.#fault(`after ${what}`)
    return result
  }
}

async function using(path: string, flags: string, act: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags)
  try {
    await act(handle)
  } finally {
    await handle.close()
  }
}
