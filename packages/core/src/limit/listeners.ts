import type { LimitEvent, LimitEventType, LimitSnapshot } from './snapshot.js'

/** What a listener wants to hear of. */
export interface SubscribeOptions {
  /**
   * Also a `status` once a window has ended, whatever was in it: what a gauge is fed with. Told by the first who asks,
   * reports or waits after the window's end, so there is none while nothing happens, and no timer. Default false.
   */
  status?: boolean | undefined
}

type Listener = (event: LimitEvent) => void

interface Entry {
  readonly listener: Listener
  readonly status: boolean
}

/** Who listens to a limiter. Each is told a microtask later: never in the midst of what caused it. */
export class Listeners {
  readonly #read: () => LimitSnapshot
  readonly #all = new Set<Entry>()
  /** When the next status is due; Infinity: nobody wants any. */
  statusDueMs: number = Number.POSITIVE_INFINITY

  /** @param read what is known at the moment of an event */
  constructor(read: () => LimitSnapshot) {
    this.#read = read
  }

  /**
   * @param windowEndMs the end of the open window, where the listener wants a status; else null
   * @returns a function that ends it
   */
  add(listener: Listener, windowEndMs: number | null): () => void {
    const entry: Entry = { listener, status: windowEndMs !== null }
    this.#all.add(entry)
    this.statusDueMs = windowEndMs ?? this.statusDueMs
    return () => {
      this.#all.delete(entry)
      if (![...this.#all].some(({ status }) => status)) this.statusDueMs = Number.POSITIVE_INFINITY
    }
  }

  tell(type: LimitEventType): void {
    const event = { type, ...this.#read() }
    for (const entry of this.#all) this.#call(entry, event)
  }

  /** @param windowEndMs the end of the window that is open now: the next is due then */
  tellStatus(windowEndMs: number): void {
    this.statusDueMs = windowEndMs
    const event = { type: 'status', ...this.#read() } as const
    for (const entry of this.#all) if (entry.status) this.#call(entry, event)
  }

  /** Who has ended it by then hears nothing more. */
  #call(entry: Entry, event: LimitEvent): void {
    queueMicrotask(() => {
      if (this.#all.has(entry)) entry.listener(event)
    })
  }
}
