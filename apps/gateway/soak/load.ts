import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.js'
import { type Ledger, MOST_ROWS, type SentBatch } from './ledger.js'

/** Who sends what. */
export interface LoadOptions {
  readonly api: Api
  readonly source: string
  readonly ledger: Ledger
  /** Requests at once. Of them one half waits for its write, and one third has keys and repeats what was not answered. */
  readonly senders: number
  /** Of a batch; at most 1000. */
  readonly rows: number
  /** Between an answer and the next request. Default 0. */
  readonly pauseMs?: number
}

/** An answer after which nothing is sent for a moment. */
const HINDERED_MS = 50

/** Senders that go on until they are stopped. */
export class Load {
  readonly #options: LoadOptions
  readonly #senders: Promise<void>[]
  #isStopped = false

  constructor(options: LoadOptions) {
    this.#options = options
    this.#senders = Array.from({ length: options.senders }, (_, i) => this.#send(i))
  }

  /** Fulfils when every request has been answered, or never will be. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#senders)
  }

  async #send(sender: number): Promise<void> {
    const { ledger, rows, pauseMs = 0 } = this.#options
    const waits = sender % 2 === 0
    const isKeyed = sender % 3 === 2
    while (!this.#isStopped) {
      const batch = ledger.begin(rows)
      await this.#post(batch, waits, isKeyed)
      while (isKeyed && batch.outcome === 'unknown' && !this.#isStopped) await this.#post(batch, waits, isKeyed)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }

  async #post(batch: SentBatch, waits: boolean, isKeyed: boolean): Promise<void> {
    const { api, source } = this.#options
    const key = isKeyed ? `batch-${batch.batch}` : undefined
    const { status } = await api.send(source, linesOf(batch), waits, key)
    batch.outcome = outcomeOf(status)
    if (batch.outcome !== 'acknowledged') await sleep(HINDERED_MS)
  }
}

/** A 504 says that the rows are on disk; a 503 may be of a disk that failed in the middle. */
export function outcomeOf(status: number): SentBatch['outcome'] {
  if (status === 200 || status === 202 || status === 504) return 'acknowledged'
  return status === 0 || status >= 500 ? 'unknown' : 'refused'
}

/** Rows in three partitions, of about a hundred bytes. */
export function linesOf({ batch, rows }: Pick<SentBatch, 'batch' | 'rows'>): string {
  const lines: string[] = []
  for (let i = 0; i < rows; i++) {
    const text = `row ${i} of batch ${batch}, and as much again so that it has some weight`
    lines.push(JSON.stringify({ id: batch * MOST_ROWS + i, day: `2026-01-0${1 + (i % 3)}`, text }))
  }
  return lines.join('\n')
}
