import { setTimeout as sleep } from 'node:timers/promises'

/** Events of one batch. */
const ROWS = 5
const PAUSE_MS = 25

/**
 * Sends events without end, as a service with a queue of its own would: each batch under a key of its own, again and again
 * until it is told that the batch is taken, whether the gateway is there or not.
 */
export class Sender {
  readonly #url: string
  readonly #token: string
  readonly #sending: Promise<void>
  #isStopped = false
  #isAbandoned = false
  #next: number
  /** Ids of events of which the gateway said that they are on disk. */
  readonly acknowledged: number[] = []
  /** Requests that had no answer, or one that says to come again. */
  repeated = 0

  /** @param from the first id */
  constructor(url: string, token: string, from: number) {
    this.#url = url
    this.#token = token
    this.#next = from
    this.#sending = this.#send()
  }

  /** Fulfils when what was begun is taken. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#sending
  }

  /** Sends nothing more, whatever became of what was begun. */
  abandon(): void {
    this.#isStopped = true
    this.#isAbandoned = true
  }

  async #send(): Promise<void> {
    while (!this.#isStopped) {
      const ids = Array.from({ length: ROWS }, () => this.#next++)
      while (!(await this.#isTaken(ids))) {
        if (this.#isAbandoned) return
        this.repeated++
        await sleep(PAUSE_MS)
      }
      this.acknowledged.push(...ids)
      await sleep(PAUSE_MS)
    }
  }

  async #isTaken(ids: readonly number[]): Promise<boolean> {
    const rows = ids.map(sentAs)
    const headers = {
      ...{ authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      'idempotency-key': `batch-${ids[0]}`,
    }
    const init = { method: 'POST', headers, body: JSON.stringify(rows) }
    const status = await fetch(this.#url, init).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    if (status === 202) return true
    if (status === 0 || status === 429 || status >= 500) return false
    throw new Error(`a batch was answered ${status}, which sending again does not mend`)
  }
}

/** An event by its id, in one of two partitions. */
export const sentAs = (id: number): { readonly id: number; readonly time: string; readonly path: string } => ({
  ...{ id, path: `/pricing/${id % 7}?from="ad"` },
  time: `2026-01-0${1 + (id % 2)}T12:00:${String(id % 60).padStart(2, '0')}Z`,
})
