import type { Clock } from '@sluice/core'
import { type Chunk, checksumOf, type MadeBlock } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import { type IngestNode, InsertError, type InsertFault } from './ingest-node.js'
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

  /** Has it on disk where the block may be (I4), unless it is there already. */
  async claim({ id, source, partition, chunks, claims }: MadeBlock, { name: node }: IngestNode): Promise<void> {
    if (claims.has(node)) return
    const rows = chunks.map(({ sequence, from, to }) => [sequence, from, to] as const)
    claims.set(node, await this.#options.spool.claim({ id, source, partition, node, rows }))
  }

  /** I4: what is on disk first says where the block may be; only then it is sent. */
  async send(block: MadeBlock, node: IngestNode): Promise<Sent> {
    const { clock, insertTimeoutMs } = this.#options
    const { id, source, partition, count, unknownOn } = block
    let pieces: readonly Uint8Array[]
    try {
      await this.claim(block, node)
      pieces = await this.#pieces(block)
    } catch (error) {
      return { kind: 'not_sent', error }
    }
    const sinceMs = clock.now()
    unknownOn.set(node.name, sinceMs)
    try {
      await within(clock, insertTimeoutMs, (signal) => node.insert({ id, source, partition, count, pieces }, signal))
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

  /** In memory, or from the spool: these rows, and nothing else of their records. */
  async #pieces({ chunks }: MadeBlock): Promise<readonly Uint8Array[]> {
    const absent = chunks.filter(({ lines }) => lines === null)
    const read = absent.length > 0 ? await this.#options.spool.readParts(absent) : []
    const found = new Map(absent.map((chunk, i) => [chunk, checked(chunk, read[i])]))
    return chunks.map((chunk) => chunk.lines ?? found.get(chunk) ?? new Uint8Array())
  }
}

/** @throws Error where they are not those of the chunk: its disk gives others */
export function checked({ sequence, from, to, bytes, checksum }: Chunk, lines: Uint8Array | undefined): Uint8Array {
  if (lines?.length === bytes && checksumOf(lines) === checksum) return lines
  const what = `rows ${from} to ${to} of record ${sequence}`
  throw new Error(`IngestPipeline: the spool has no ${what}${lines ? ' as they were: its disk gives others' : ''}`)
}
