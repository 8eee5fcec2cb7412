import { createHash } from 'node:crypto'
import type { Accepted, Refused } from '@sluice/ingest'
import { describeFaults } from '../field-fault.js'
import type { Logger } from '../logger.js'
import type { Batch } from './batch/read-batch.js'
import type { KeyedBatch } from './batch-keys.js'
import type { DataSource } from './data-source.js'
import type { Ingest } from './ingest.js'

/** A batch that is on disk. */
export interface TakenBatch {
  readonly accepted: number
  readonly quarantined: number
  readonly state: 'buffered' | 'delayed'
  readonly untilMs: number | null
  /** Fulfils once its rows are written. */
  readonly written: () => Promise<void>
}

/** What became of a batch. */
export type BatchOutcome = TakenBatch | Refused

/** A key and the body that came with it. */
export interface BatchKey {
  readonly key: string
  readonly bodyHash: string
}

/** A key, with the body by which it is known. */
export function batchKey(key: string, body: Uint8Array): BatchKey {
  return { key, bodyHash: createHash('sha256').update(body).digest('base64url') }
}

/**
 * Puts a batch on disk: the rows that do not fit, then the others, with its key in one record. A crash leaves key and rows,
 * or neither.
 * @throws what the disk says: then nobody may be told that it was taken
 */
export async function takeBatch(
  ingest: Ingest,
  source: DataSource,
  { events, rows, bad, badRows }: Batch,
  keyed: BatchKey | undefined,
  { nowMs, logger }: { readonly nowMs: number; readonly logger: Logger },
): Promise<BatchOutcome> {
  const { pipeline, keys, watch } = ingest
  const atMs = Math.round(nowMs)
  const entry: KeyedBatch | undefined = keyed && {
    ...{ source: source.key, ...keyed, atMs, accepted: rows, quarantined: badRows },
  }
  const verdict = await pipeline.accept(source.key, events, {
    bad: bad.map((it) => ({ ...it, reason: describeFaults(it.errors) })),
    ...(entry && { note: JSON.stringify(entry) }),
  })
  if (verdict.status !== 202) return verdict
  if (entry !== undefined) {
    // It is taken, and its key is in memory and in the spool, whatever becomes of this.
    const told = (error: unknown) => logger.error('a key could not be put on disk', { error: String(error) })
    await keys.add(entry).catch(told)
  }
  if (rows > 0) follow(source, verdict, atMs)
  if (badRows > 0) watch.quarantined(source, badRows)
  const { accepted, state, untilMs, written } = verdict
  return { accepted, quarantined: badRows, state, untilMs, written: rows > 0 ? written : async () => {} }
}

function follow({ freshness }: DataSource, { written }: Accepted, atMs: number): void {
  freshness.accepted(atMs)
  written().then(
    () => freshness.written(atMs),
    () => undefined, // dropped, or left to the next process
  )
}
