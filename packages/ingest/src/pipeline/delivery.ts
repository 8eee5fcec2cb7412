import type { Clock } from '@sluice/core'
import type { MadeBlock } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import { type IngestNode, InsertError, type InsertFault } from './ingest-node.js'
import { rowsOf } from './payload.js'
import { TookTooLongError, within } from './within.js'

/** What became of sending a block once. */
export type Sent =
  | { readonly kind: 'written'; readonly tookMs: number }
  | { readonly kind: 'not_written'; readonly fault: InsertFault; readonly tookMs: number; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly isTimeout: boolean; readonly error: unknown }
  /** It did not come to that: the spool failed. */
  | { readonly kind: 'not_sent'; readonly error: unknown }

/** What a delivery is made of. */
export interface DeliveryOptions {
  readonly spool: DurableSpool
  readonly clock: Clock
  readonly insertTimeoutMs: number
  readonly lookUpTimeoutMs: number
}

/** Sends one block to one node, and finds out whether it is there. */
export class Delivery {
  readonly #options: DeliveryOptions

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** I4: what is on disk first says where the block may be; only then it is sent. */
  async send(block: MadeBlock, node: IngestNode): Promise<Sent> {
    const { spool, clock, insertTimeoutMs } = this.#options
    const { id, source, partition, chunks, claims, unknownOn } = block
    let rows: string[]
    try {
      if (!claims.has(node.name)) {
        const claimed = chunks.map(({ sequence, from, to }) => [sequence, from, to] as const)
        claims.set(node.name, await spool.claim({ id, source, partition, node: node.name, rows: claimed }))
      }
      rows = await this.#rows(block)
    } catch (error) {
      return { kind: 'not_sent', error }
    }
    const sinceMs = clock.now()
    unknownOn.set(node.name, sinceMs)
    try {
      await within(clock, insertTimeoutMs, (signal) => node.insert({ id, source, partition, rows }, signal))
      return { kind: 'written', tookMs: clock.now() - sinceMs }
    } catch (error) {
      const tookMs = clock.now() - sinceMs
      if (!(error instanceof InsertError)) {
        unknownOn.set(node.name, clock.now())
        return { kind: 'unknown', isTimeout: error instanceof TookTooLongError, error }
      }
      unknownOn.delete(node.name)
      return { kind: 'not_written', fault: error.fault, tookMs, error }
    }
  }

  /** @throws what the node rejects with: then nobody knows yet */
  async lookUp(block: MadeBlock, node: IngestNode): Promise<boolean> {
    const { clock, lookUpTimeoutMs } = this.#options
    const isThere = await within(clock, lookUpTimeoutMs, (signal) => node.hasBlock(block, signal))
    if (!isThere) block.unknownOn.delete(node.name)
    return isThere
  }

  /** In memory, or from the spool. */
  async #rows({ partition, chunks }: MadeBlock): Promise<string[]> {
    const absent = new Set(chunks.flatMap(({ rows, sequence }) => (rows ? [] : [sequence])))
    const found = new Map<number, string[]>()
    for (const { sequence, payload } of absent.size > 0 ? await this.#options.spool.read([...absent]) : [])
      found.set(sequence, rowsOf(payload, partition))
    return chunks.flatMap(({ sequence, from, to, rows }) => {
      const own = rows ?? found.get(sequence)?.slice(from, to)
      if (own?.length === to - from) return own
      throw new Error(`IngestPipeline: the spool has no rows ${from} to ${to} of record ${sequence}`)
    })
  }
}
