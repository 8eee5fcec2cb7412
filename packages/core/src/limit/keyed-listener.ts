import type { AdaptiveSemaphore } from './adaptive-semaphore.js'
import type { SubscribeOptions } from './listeners.js'
import type { LimitEvent } from './snapshot.js'

/** Somebody who listens to many limiters, and is told the key of each. */
export class KeyedListener {
  readonly #listener: (event: LimitEvent, key: string) => void
  readonly #options: SubscribeOptions
  /** What ends it at each limiter. */
  readonly #ends = new Map<string, () => void>()
  #isOver = false

  constructor(listener: (event: LimitEvent, key: string) => void, options: SubscribeOptions) {
    this.#listener = listener
    this.#options = options
  }

  follow(key: string, limiter: AdaptiveSemaphore): void {
    const end = limiter.subscribe((event) => {
      if (!this.#isOver) this.#listener(event, key)
    }, this.#options)
    this.#ends.set(key, end)
  }

  /** The limiter of this key is no longer one of them; what it told before is told still. */
  leave(key: string): void {
    const end = this.#ends.get(key)
    if (end) queueMicrotask(end)
    this.#ends.delete(key)
  }

  end(): void {
    this.#isOver = true
    for (const end of this.#ends.values()) end()
    this.#ends.clear()
  }
}
