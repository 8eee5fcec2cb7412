import type { FailureClass } from '@sluice/core'

/** A call that is being retried: it waits for its next attempt, or that is in flight. */
export interface WaitingCall {
  readonly id: number
  readonly method: string
  /** Without credentials, query and fragment, which may hold secrets. */
  readonly url: string
  /** `throttle` where the server refused, `transient` where it failed. */
  readonly class: FailureClass
  /** The status that it failed with; null where no answer came. */
  readonly status: number | null
  /** The attempt to come, or in flight. */
  readonly attempt: number
  /** When it comes, in epoch ms. */
  readonly untilMs: number
  /** Whether it has been sent: the wait is over, and nobody knows yet how it ends. */
  readonly inFlight: boolean
  /** Whether it waits on, since the page is offline (U3): then it comes with the connection. */
  readonly offline: boolean
}

/** A store of the calls that are being retried, from their first wait to their end, in the shape that UI frameworks subscribe to. */
export interface WaitingCalls {
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** The same array until something changes, oldest first. */
  getSnapshot(): readonly WaitingCall[]
}

export class WaitingStore implements WaitingCalls {
  readonly #calls = new Map<number, WaitingCall>()
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly WaitingCall[] | undefined

  // Bound: frameworks take these two apart from the store.
  readonly subscribe = (listener: () => void): (() => void) => {
    const entry = (): void => listener() // a listener subscribed twice is called twice
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  readonly getSnapshot = (): readonly WaitingCall[] => {
    this.#snapshot ??= Object.freeze([...this.#calls.values()])
    return this.#snapshot
  }

  add(call: WaitingCall): void {
    this.#calls.set(call.id, Object.freeze(call))
    this.#changed()
  }

  /** Does nothing where the call is not being retried. */
  change(id: number, change: Partial<WaitingCall>): void {
    const call = this.#calls.get(id)
    if (call) this.add({ ...call, ...change })
  }

  delete(id: number): void {
    if (this.#calls.delete(id)) this.#changed()
  }

  #changed(): void {
    this.#snapshot = undefined // made again when somebody looks
    for (const listener of [...this.#listeners]) {
      try {
        listener()
      } catch (error) {
        // Told as an event target tells it: to nobody here, since no call is at fault.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
