import { type AcquireOptions, AdaptiveSemaphore, type AttemptReport, type LimitSnapshot, Slot } from '@sluice/core'
import type { ControllerSetting, ObservedLimiter } from './controller.js'

/** A ceiling that somebody else moves. */
class Ceiling {
  value: number
  readonly belowMaxSinceMs = null

  constructor(value: number) {
    this.value = value
  }

  windowClosed(): null {
    return null
  }

  reset(): void {}
}

/**
 * The shipped semaphore's queue and slots, without its rules: what attempts report comes to {@link reported}, and the
 * limit is what was last given to {@link setLimit}.
 */
export abstract class LentSlots implements ObservedLimiter {
  readonly world: ControllerSetting['world']
  readonly #semaphore: AdaptiveSemaphore
  readonly #ceiling: Ceiling
  #inFlight = 0

  constructor({ world, maxQueue, queueTimeoutMs }: ControllerSetting, limit: { first: number; most: number }) {
    const ceiling = new Ceiling(limit.first)
    const parts = { latencyCeiling: () => ceiling }
    this.world = world
    this.#ceiling = ceiling
    this.#semaphore = new AdaptiveSemaphore({
      clock: world,
      maxQueue,
      queueTimeoutMs,
      maxConcurrent: limit.most,
      parts,
    })
  }

  /** An attempt ended. @param inFlight when it began, itself included */
  protected abstract reported(report: AttemptReport, inFlight: number): void

  protected setLimit(limit: number): void {
    this.#ceiling.value = limit
    this.#semaphore.report({ kind: 'failure' }) // no sample: who may start now does
  }

  snapshot(): LimitSnapshot {
    return this.#semaphore.snapshot()
  }

  tryAcquire(options: AcquireOptions): Slot | null {
    const slot = this.#semaphore.tryAcquire(options)
    return slot && this.#lend(slot)
  }

  acquire(options: AcquireOptions): Promise<Slot> {
    return this.#semaphore.acquire(options).then(this.#lend)
  }

  readonly #lend = (slot: Slot): Slot => {
    const inFlight = ++this.#inFlight
    const owner = {
      release: (nowMs?: number) => {
        this.#inFlight--
        slot.release(nowMs)
      },
      report: (report: AttemptReport) => this.reported(report, inFlight),
    }
    return new Slot(owner, slot.place, slot.sinceMs, slot.heldMs)
  }
}
