/** How old the newest rows are that queries see. Epoch milliseconds. */
export interface SavedFreshness {
  readonly newestMs: number | null
  readonly writtenMs: number | null
}

/** When the newest event of a data source was accepted, and when the newest of those that are written. */
export class Freshness {
  #newestMs: number | null = null
  #writtenMs: number | null = null

  /** What another process knew. */
  restore({ newestMs, writtenMs }: SavedFreshness = { newestMs: null, writtenMs: null }): void {
    this.#newestMs = newestMs
    this.#writtenMs = writtenMs
  }

  accepted(atMs: number): void {
    this.#newestMs = Math.max(this.#newestMs ?? 0, atMs)
  }

  /** All of a batch is written. */
  written(acceptedAtMs: number): void {
    this.#writtenMs = Math.max(this.#writtenMs ?? 0, acceptedAtMs)
  }

  /** What waited of it is gone: no query will see it. */
  dropped(): void {
    this.#newestMs = this.#writtenMs
  }

  /** @param waits whether any event of it waits: where none does, the newest is written */
  read(waits: boolean): SavedFreshness {
    return { newestMs: this.#newestMs, writtenMs: waits ? this.#writtenMs : this.#newestMs }
  }
}
