import { superseded } from './abort-reasons.js'

type Abort = (reason: unknown) => void

/** The last call of each key: it is the one whose answer is wanted (U2). */
export class Superseding {
  readonly #latest = new Map<string, Abort>()

  /**
   * Aborts the earlier call of this key and takes its place.
   * @returns a function that gives the place up
   */
  take(key: string, abort: Abort): () => void {
    this.#latest.get(key)?.(superseded())
    this.#latest.set(key, abort)
    return () => {
      if (this.#latest.get(key) === abort) this.#latest.delete(key)
    }
  }
}
