import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiDocument } from '../model/api-document.js'
import type { Operation, OperationSummary } from '../model/operation.js'
import { percentEncode } from '../request/percent-encode.js'
import { isUrl } from '../source/public-name.js'
import { head, readIndex, readOperation } from './cache-file.js'

/** What tells one state of a source from another. */
interface Stamp {
  readonly mtimeMs?: number
  readonly size?: number
  readonly etag?: string | null
  readonly lastModified?: string | null
  /** SHA-256 of the text that a URL answered. */
  readonly hash?: string
}

export interface CacheKey {
  /** An absolute path or a URL. Of a URL only the hash is written: it may hold a secret. */
  readonly source: string
  readonly stamp: Stamp
}

/** Names of files end at 255 bytes nearly everywhere. */
const LONGEST_NAME = 200
const EXTENSION = '.openapi'

type About = Omit<ApiDocument, 'operations' | 'operation'>

export interface CacheIndex {
  readonly stamp: Stamp
  readonly about: About
  readonly operations: readonly OperationSummary[]
  /** Of each operation's line: its length in bytes, the line break included. */
  readonly lengths: readonly number[]
}

/** A document as the cache holds it: what lists it is read, its operations one by one. */
export interface CachedDocument extends Omit<CacheIndex, 'lengths'> {
  /** null where the file is damaged or was replaced. */
  operation(index: number): Promise<Operation | null>
}

/**
 * Documents that were read before, a file each in a folder: a short index, then one line an operation. Opening one reads
 * the index alone. Files are of the user only, replaced whole, and hold what documents say: no headers, no URLs they came from.
 */
export class DocumentCache {
  readonly folder: string

  /** @param folder made when it is first needed */
  constructor(folder: string) {
    this.folder = folder
  }

  /** null where there is none, or one that is damaged or of another format. */
  async open(source: string): Promise<CachedDocument | null> {
    const path = await this.#path(source)
    const found = await readIndex(path)
    if (found === null) return null
    const { stamp, about, operations } = found.index
    return { stamp, about, operations, operation: (number) => readOperation(path, found, number) }
  }

  /** @throws what the file system throws */
  async write(
    { source, stamp }: CacheKey,
    document: About & { readonly operations: readonly Operation[] },
  ): Promise<void> {
    const { operations, ...about } = document
    const lines = operations.map((operation) => Buffer.from(`${JSON.stringify(operation)}\n`))
    const index: CacheIndex = {
      stamp,
      about,
      operations: operations.map(({ id, method, path, summary, tags, deprecated }) => ({
        id,
        method,
        path,
        summary,
        tags,
        deprecated,
      })),
      lengths: lines.map(({ byteLength }) => byteLength),
    }
    const written = Buffer.from(JSON.stringify(index))
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    // A folder of its own for each writer: no two write one file, and nobody reads half of one.
    const workshop = await mkdtemp(join(this.folder, 'writing-'))
    try {
      const draft = join(workshop, 'document')
      await writeFile(draft, Buffer.concat([Buffer.from(head(written.byteLength)), written, ...lines]), { mode: 0o600 })
      await rename(draft, await this.#path(source))
    } finally {
      await rm(workshop, { recursive: true, force: true })
    }
  }

  async #path(source: string): Promise<string> {
    const plain = percentEncode(source)
    if (!isUrl(source) && plain.length <= LONGEST_NAME) return join(this.folder, `${plain}${EXTENSION}`)
    // Loaded only where it is needed: it takes longer than reading an index.
    const { createHash } = await import('node:crypto')
    return join(this.folder, `${createHash('sha256').update(source).digest('hex')}${EXTENSION}`)
  }
}
