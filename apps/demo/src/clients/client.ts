import type { Clock } from '@sluice/core'
import type { WaitingCalls } from '@sluice/fetch'

/** What a client is made of: the fetch underneath, time, and chance. */
export interface ClientParts {
  readonly transport: typeof fetch
  readonly clock: Clock
  /** Draws from [0, 1). */
  readonly random: () => number
}

/** One way to call an API. */
export interface Client {
  /** The name of its token: letters, digits, `-`. */
  readonly id: string
  /** What the table calls it. */
  readonly name: string
  /** What it does, in a few words behind its name: `sends each call once`. */
  readonly manner: string
  /** What a reader should know if it lost calls. */
  readonly ifLost?: string
  make(parts: ClientParts): ClientFetch
}

/** What it calls with. */
export interface ClientFetch {
  call(url: string, init: RequestInit): Promise<Response>
  /** Its waiting calls, where it can tell. */
  readonly waiting?: WaitingCalls
}
