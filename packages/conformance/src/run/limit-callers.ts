import type { LimitArrival, LimitSlot, LimitSubject } from '../limit-subject.js'
import type { FinishStep, LimitReading, LimitStepActual, Refusal } from '../table/limit-table.js'
import { describeError } from './play.js'

interface Waiting {
  controller: AbortController
  settled: boolean
}

/** The calls of a scenario, oldest first, and what became of them; counted here, and not by the limiter. */
export class Callers {
  readonly #limiter: LimitSubject
  readonly #waiting: Waiting[] = []
  readonly #inFlight: LimitSlot[] = []
  readonly #ended: LimitSlot[] = []
  /** How long the call of a slot may be held: its retries ask with the same. */
  readonly #capMs = new Map<LimitSlot, number | null>()
  #started = 0
  #refused: Partial<Record<Refusal, number>> = {}
  #retryAfterMs: number | null = null
  #problem: string | null = null

  constructor(limiter: LimitSubject) {
    this.#limiter = limiter
  }

  beginStep(): void {
    this.#started = 0
    this.#refused = {}
    this.#retryAfterMs = null
  }

  arrive(count: number, capMs: number | null, retryOf: LimitSlot | null = null): void {
    for (let i = 0; i < count; i++) {
      const waiting: Waiting = { controller: new AbortController(), settled: false }
      const { signal } = waiting.controller
      this.#waiting.push(waiting)
      const settled = (): void => {
        waiting.settled = true
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      }
      this.#limiter.arrive({ cap_ms: capMs, signal, retry_of: retryOf }).then(
        (arrival) => {
          settled()
          if ('slot' in arrival) this.#capMs.set(arrival.slot, capMs)
          this.#note(arrival)
        },
        (error) => {
          settled()
          this.#problem = describeError(error)
        },
      )
    }
  }

  finish({ count, latency_ms: latencyMs, timeout = false }: FinishStep): void {
    const slots = this.#take(this.#inFlight, count, 'in flight')
    if (latencyMs !== undefined) for (const slot of slots) slot.sample(latencyMs, timeout)
    for (const slot of slots) {
      this.#ended.push(slot)
      slot.release()
    }
  }

  retry(count: number): void {
    for (const slot of this.#take(this.#ended, count, 'ended')) this.arrive(1, this.#capMs.get(slot) ?? null, slot)
  }

  abort(count: number): void {
    const open = this.#waiting.filter(({ settled }) => !settled)
    for (const { controller } of this.#take(open, count, 'waiting')) controller.abort(new Error('the caller left'))
  }

  /** What this step did. */
  tally(): Pick<LimitStepActual, 'started' | 'rejected' | 'refused' | 'retry_after_ms'> {
    const rejected = Object.values(this.#refused).reduce((sum, count) => sum + count, 0)
    return { started: this.#started, rejected, refused: this.#refused, retry_after_ms: this.#retryAfterMs }
  }

  /** @throws Error where the limiter left a call without an end */
  checkDisposed(): void {
    if (this.#waiting.length > 0) throw new Error(`${this.#waiting.length} calls still wait after it was disposed`)
  }

  /** @throws Error where the limiter counts otherwise than its callers, or broke */
  check({ in_flight, queued }: LimitReading): void {
    if (this.#problem !== null) throw new Error(`a call ended with what is no refusal: ${this.#problem}`)
    const [flying, waiting] = [this.#inFlight.length, this.#waiting.length]
    if (in_flight !== flying) throw new Error(`it says that ${in_flight} are in flight, and ${flying} have a slot`)
    if (queued !== waiting) throw new Error(`it says that ${queued} are queued, and ${waiting} wait`)
  }

  #note(arrival: LimitArrival): void {
    if ('slot' in arrival) {
      this.#started++
      this.#inFlight.push(arrival.slot)
    } else if (arrival.refused !== 'aborted' && arrival.refused !== 'disposed') {
      this.#refused[arrival.refused] = (this.#refused[arrival.refused] ?? 0) + 1
      if (arrival.refused === 'held') this.#retryAfterMs = arrival.retry_after_ms
    }
  }

  #take<T>(from: T[], count: number, what: string): T[] {
    if (from.length < count) throw new Error(`a step takes ${count} calls, and ${from.length} are ${what}`)
    return from.splice(0, count)
  }
}
