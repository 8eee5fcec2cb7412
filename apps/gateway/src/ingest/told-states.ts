import type { Notice } from '@sluice/ingest'

/** What notices say of data sources, for as long as that is so. */
export class ToldStates {
  /** Since when a data source is as it is, where that has changed since the start. */
  readonly #since = new Map<string, number>()
  /** Until when a limit is likely to last. */
  readonly #limitedUntil = new Map<string, number | null>()

  /** What a process before has told. */
  found({ source, atMs }: Notice): void {
    this.#since.set(source, atMs)
  }

  hear({ source, state, before, atMs, untilMs }: Notice): void {
    if (state !== before) this.#since.set(source, atMs)
    this.#limitedUntil.set(source, state === 'limited' ? untilMs : null)
  }

  forget(source: string): void {
    this.#since.delete(source)
    this.#limitedUntil.delete(source)
  }

  /** In epoch ms; undefined: nothing has changed. */
  sinceMs(source: string): number | undefined {
    return this.#since.get(source)
  }

  /** In epoch ms; null: nobody knows. */
  limitedUntilMs(source: string): number | null {
    return this.#limitedUntil.get(source) ?? null
  }
}
