import type { DurableSpool } from './durable-spool.js'

/** Marks what is written as done; where the spool fails, again with the next. */
export class Marks {
  readonly #spool: DurableSpool
  readonly #onError: (what: string, error: unknown) => void
  /** Each list goes whole or not at all: a block's claim, and the records that it completed. */
  #waiting: number[] = []
  #marking: Promise<void> | null = null

  constructor(spool: DurableSpool, onError: (what: string, error: unknown) => void) {
    this.#spool = spool
    this.#onError = onError
  }

  add(sequences: readonly number[]): void {
    this.#waiting.push(...sequences)
    void this.flush()
  }

  /** Fulfils when what has come so far is marked, or has failed. */
  flush(): Promise<void> {
    this.#marking ??= this.#mark().finally(() => {
      this.#marking = null
    })
    return this.#marking
  }

  async #mark(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting
      this.#waiting = []
      try {
        await this.#spool.done(some)
      } catch (error) {
        // After a crash they would be found on their nodes: nothing is doubled, only looked up.
        this.#waiting = [...some, ...this.#waiting]
        this.#onError('what is written could not be marked as done', error)
        return
      }
    }
  }
}
