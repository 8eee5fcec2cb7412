import type { Clock } from '@sluice/core'
import { Stream } from '../random/stream.js'
import { EventHeap, type WorldEvent } from './event-heap.js'
import { whenSettled } from './settled.js'

/** Epoch ms of the wall clock when a world begins: 2026-01-01T00:00:00Z. */
const EPOCH_MS = 1_767_225_600_000

/**
 * A world in which things happen one after another, at whole microseconds, and nothing happens between two of them. It is
 * the clock of everything in it. The same seed gives the same world.
 */
export class World implements Clock {
  readonly seed: number
  readonly #events = new EventHeap()
  #nowUs = 0
  #sequence = 0
  #wallOffsetMs = EPOCH_MS
  /** The clients' process stands still until then. */
  #resumesAtUs = 0
  /** Promises may have been settled since everything last had its turn. */
  #unsettled = false

  constructor(seed: number) {
    this.seed = seed
  }

  /** A stream of random numbers of its own, named for what it decides about. */
  stream(name: string): Stream {
    return new Stream(this.seed, name)
  }

  get nowUs(): number {
    return this.#nowUs
  }

  now(): number {
    return this.#nowUs / 1000
  }

  wallNow(): number {
    return this.#wallOffsetMs + this.#nowUs / 1000
  }

  /** Steps the wall clock; nothing else notices. */
  stepWall(ms: number): void {
    this.#wallOffsetMs += ms
  }

  /** Whether the clients' process stands still. */
  get isSuspended(): boolean {
    return this.#nowUs < this.#resumesAtUs
  }

  /** The clients' process stands still for so long; both clocks go on, and so does the rest of the world. */
  suspend(ms: number): void {
    this.#resumesAtUs = Math.max(this.#resumesAtUs, this.#nowUs + Math.ceil(ms * 1000))
  }

  /** Does something that is the clients' to do: at once, or as soon as they run again, in the order in which it was due. */
  awake(run: () => void): void {
    if (this.isSuspended) this.at(this.#resumesAtUs, run)
    else run()
  }

  /** A timer of a client: of one that is suspended it fires when it runs again. */
  timer(ms: number, fire: () => void): () => void {
    const due = (): void => {
      if (this.isSuspended) {
        event = this.at(this.#resumesAtUs, due)
        return
      }
      fire()
      this.promised()
    }
    let event = this.at(this.#nowUs + Math.ceil(Math.max(0, ms) * 1000), due)
    return () => {
      event.fire = null
    }
  }

  /**
   * Plans something.
   * @throws RangeError for a time that is past: that would be a fault of the world
   */
  at(atUs: number, fire: () => void): WorldEvent {
    if (!(atUs >= this.#nowUs))
      throw new RangeError(`World: an event was planned for ${atUs} µs, and it is ${this.#nowUs} µs already`)
    const event: WorldEvent = { atUs: Math.ceil(atUs), sequence: this.#sequence++, fire }
    this.#events.push(event)
    return event
  }

  /** Says that the event under way settled promises, or began something that awaits: they run before the next event. */
  promised(): void {
    this.#unsettled = true
  }

  /** Lets everything happen that happens until then, and it is then. Until it is over nothing else of this thread has a turn. */
  runUntil(untilMs: number): Promise<void> {
    const untilUs = Math.round(untilMs * 1000)
    return new Promise((resolve, reject) => {
      // Not awaited event by event: those promises were a third of all that was allocated where many wait.
      const goOn = (): void => {
        try {
          if (this.#happen(untilUs)) resolve()
          else later()
        } catch (error) {
          reject(error)
        }
      }
      const later = whenSettled(goOn)
      goOn()
    })
  }

  /** @returns false: promises were settled, and what awaits them comes before the next event */
  #happen(untilUs: number): boolean {
    for (;;) {
      if (this.#unsettled) {
        this.#unsettled = false
        return false
      }
      const { next } = this.#events
      if (!next || next.atUs > untilUs) break
      this.#events.pop()
      if (next.fire === null) continue
      this.#nowUs = next.atUs
      next.fire()
    }
    this.#nowUs = Math.max(this.#nowUs, untilUs)
    return true
  }
}
