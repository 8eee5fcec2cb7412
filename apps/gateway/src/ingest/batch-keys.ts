import { mkdir } from 'node:fs/promises'
import { fileNameOf, LineLog } from '../state/line-log.js'
import { partsOf } from './source-key.js'

/** What became of a batch that came with a key. */
export interface KeyedBatch {
  readonly source: string
  readonly key: string
  /** Of the body, SHA-256: another body is another batch. */
  readonly bodyHash: string
  /** When it was accepted, in epoch ms. */
  readonly atMs: number
  readonly accepted: number
  readonly quarantined: number
}

/** A key is known for 24 hours, within these bounds for each tenant. */
const KEPT_MS = 86_400_000
const MOST_KEYS = 50_000
const FILE_BYTES = 16 * 1_048_576

interface Shelf {
  readonly log: LineLog
  /** The oldest first. */
  readonly known: Map<string, KeyedBatch>
}

/**
 * The keys of batches that were accepted, on disk and in memory, so that each batch is taken once. A key is in the spool
 * with its events too: whichever of both a crash leaves, the other is not needed.
 */
export class BatchKeys {
  readonly #folder: string
  readonly #wallNow: () => number
  readonly #shelves = new Map<string, Promise<Shelf>>()

  static async open(folder: string, wallNow: () => number): Promise<BatchKeys> {
    await mkdir(folder, { recursive: true })
    return new BatchKeys(folder, wallNow)
  }

  private constructor(folder: string, wallNow: () => number) {
    this.#folder = folder
    this.#wallNow = wallNow
  }

  /** What became of the batch with this key; undefined: there was none in the last 24 hours. */
  async find(source: string, key: string): Promise<KeyedBatch | undefined> {
    const batch = (await this.#shelf(source)).known.get(nameOf({ source, key }))
    return batch !== undefined && batch.atMs >= this.#wallNow() - KEPT_MS ? batch : undefined
  }

  /** Fulfils once it outlives this process. The spool keeps it safe from more than that, until its events are written. */
  async add(batch: KeyedBatch): Promise<void> {
    const shelf = await this.#shelf(batch.source)
    remember(shelf.known, batch)
    await shelf.log.append([JSON.stringify(batch)], false)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shelves.values()].map(async (shelf) => (await shelf).log.close()))
  }

  #shelf(source: string): Promise<Shelf> {
    const { tenant } = partsOf(source)
    const shelf = this.#shelves.get(tenant) ?? this.#open(tenant)
    this.#shelves.set(tenant, shelf)
    return shelf
  }

  async #open(tenant: string): Promise<Shelf> {
    const log = new LineLog({ path: fileNameOf(this.#folder, tenant), maxBytes: FILE_BYTES })
    const known = new Map<string, KeyedBatch>()
    const sinceMs = this.#wallNow() - KEPT_MS
    for (const line of await log.read()) {
      const batch = batchIn(line)
      if (batch !== undefined && batch.atMs >= sinceMs) remember(known, batch)
    }
    return { log, known }
  }
}

/** The oldest is forgotten where there are too many. */
function remember(known: Map<string, KeyedBatch>, batch: KeyedBatch): void {
  known.set(nameOf(batch), batch)
  const [oldest] = known.keys()
  if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest)
}

const nameOf = ({ source, key }: Pick<KeyedBatch, 'source' | 'key'>): string => JSON.stringify([source, key])

/** What a line says, or the note of a batch in the spool; undefined: a crash cut it off. */
export function batchIn(text: string): KeyedBatch | undefined {
  try {
    return JSON.parse(text) as KeyedBatch // what is whole was written as one
  } catch {
    return undefined
  }
}
