import { type Clock, QueueFullError, QueueTimeoutError } from '@sluice/core'

/** Callers that do not back off are refused hundreds of times a second, and a line for each tells no more. */
const EVERY_MS = 1000

/** Queries that got no slot, by the reason; those that were shed waited less than the queue's own timeout (L20). */
export interface Refusals {
  queueFull: number
  queueTimeout: number
  shed: number
}

/** What of the clock it reads. */
type Now = Pick<Clock, 'now'>

/** Counts the queries that a limiter refuses, and tells of them once a second at most. */
export class RefusalLog {
  readonly #clock: Now
  readonly #queueTimeoutMs: number
  readonly #tell: (refusals: Refusals) => void
  #counts: Refusals = none()
  #toldAtMs = Number.NEGATIVE_INFINITY

  /**
   * @param queueTimeoutMs how long a query waits where none are shed
   * @param tell told how many there were since it was told last
   */
  constructor(clock: Now, queueTimeoutMs: number, tell: (refusals: Refusals) => void) {
    this.#clock = clock
    this.#queueTimeoutMs = queueTimeoutMs
    this.#tell = tell
  }

  /** A query got no slot. What is no refusal of the queue is not counted: a query that left, a hold. */
  refused(error: unknown): void {
    const reason = this.#reasonOf(error)
    if (reason === null) return
    this.#counts[reason] += 1
    this.tellDue()
  }

  /** Tells what is left to tell, unless a second has not passed; no timer runs for it. */
  tellDue(): void {
    const nowMs = this.#clock.now()
    const { queueFull, queueTimeout, shed } = this.#counts
    if (queueFull + queueTimeout + shed === 0 || nowMs - this.#toldAtMs < EVERY_MS) return
    this.#toldAtMs = nowMs
    this.#counts = none()
    this.#tell({ queueFull, queueTimeout, shed })
  }

  #reasonOf(error: unknown): keyof Refusals | null {
    if (error instanceof QueueFullError) return 'queueFull'
    if (!(error instanceof QueueTimeoutError)) return null
    return error.queueTimeoutMs < this.#queueTimeoutMs ? 'shed' : 'queueTimeout'
  }
}

const none = (): Refusals => ({ queueFull: 0, queueTimeout: 0, shed: 0 })
