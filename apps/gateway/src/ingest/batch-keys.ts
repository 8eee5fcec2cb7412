import { z } from 'zod'
import type { Slices } from '../slices.js'
import { lineIn, linesIn, moment } from '../state/kept-form.js'
import { fileNameOf, LineLog } from '../state/line-log.js'
import { makeFolder } from '../state/using-folder.js'
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
  readonly #slices: Slices
  readonly #shelves = new Map<string, Promise<Shelf>>()
  #syncing: Promise<void> = Promise.resolve()
  /** With keys that a power cut would take. */
  readonly #unsynced = new Set<LineLog>()

  static async open(folder: string, wallNow: () => number, slices: Slices): Promise<BatchKeys> {
    await makeFolder(folder)
    return new BatchKeys(folder, wallNow, slices)
  }

  private constructor(folder: string, wallNow: () => number, slices: Slices) {
    this.#folder = folder
    this.#wallNow = wallNow
    this.#slices = slices
  }

  /** What became of the batch with this key; undefined: there was none in the last 24 hours. */
  async find(source: string, key: string): Promise<KeyedBatch | undefined> {
    const batch = (await this.#shelf(source)).known.get(nameOf({ source, key }))
    return batch !== undefined && batch.atMs >= this.#wallNow() - KEPT_MS ? batch : undefined
  }

  /** Fulfils once it outlives this process. The spool keeps it safe from more than that, until its events are marked as done. */
  async add(batch: KeyedBatch): Promise<void> {
    const shelf = await this.#shelf(batch.source)
    remember(shelf.known, batch, this.#wallNow() - KEPT_MS)
    this.#unsynced.add(shelf.log)
    await shelf.log.append([JSON.stringify(batch)], false)
  }

  /**
   * Fulfils once all that were added outlive the machine.
   * @throws what the file system says of one log; the others are on disk by then
   */
  sync(): Promise<void> {
    // One after another: what another one is putting on disk is not there yet.
    this.#syncing = this.#syncing.catch(() => undefined).then(() => this.#syncAll())
    return this.#syncing
  }

  async #syncAll(): Promise<void> {
    const logs = [...this.#unsynced]
    this.#unsynced.clear()
    const outcomes = await Promise.allSettled(logs.map((log) => log.append([], true)))
    for (const [i, log] of logs.entries()) if (outcomes[i]?.status === 'rejected') this.#unsynced.add(log)
    const failed = outcomes.find((it) => it.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shelves.values()].map(async (shelf) => (await shelf).log.close()))
  }

  #shelf(source: string): Promise<Shelf> {
    const { tenant } = partsOf(source)
    const known = this.#shelves.get(tenant)
    if (known !== undefined) return known
    const shelf = this.#open(tenant).catch((error) => {
      this.#shelves.delete(tenant) // read again by whoever comes next
      throw error
    })
    this.#shelves.set(tenant, shelf)
    return shelf
  }

  async #open(tenant: string): Promise<Shelf> {
    const log = new LineLog({ path: fileNameOf(this.#folder, tenant), maxBytes: FILE_BYTES })
    const known = new Map<string, KeyedBatch>()
    const sinceMs = this.#wallNow() - KEPT_MS
    for (const batch of await linesIn(schema, await log.read(), this.#slices.work(tenant)))
      if (batch.atMs >= sinceMs) remember(known, batch, sinceMs)
    return { log, known }
  }
}

/** The oldest are forgotten where there are too many, and where they are known no longer. */
function remember(known: Map<string, KeyedBatch>, batch: KeyedBatch, sinceMs: number): void {
  const name = nameOf(batch)
  known.delete(name) // one that comes again is the newest
  known.set(name, batch)
  for (const [oldest, { atMs }] of known) {
    if (known.size <= MOST_KEYS && atMs >= sinceMs) return
    known.delete(oldest)
  }
}

const nameOf = ({ source, key }: Pick<KeyedBatch, 'source' | 'key'>): string => JSON.stringify([source, key])

const count = z.int().min(0)
const schema: z.ZodType<KeyedBatch> = z.object({
  ...{ source: z.string(), key: z.string(), bodyHash: z.string() },
  ...{ atMs: moment, accepted: count, quarantined: count },
})

/** What a line says, or the note of a batch in the spool; undefined: it is none, as one that a crash cut off. */
export const batchIn = (text: string): KeyedBatch | undefined => lineIn(schema, text)
