import { type AcquireOptions, AdaptiveSemaphore, type AdaptiveSemaphoreOptions, type Slot } from '@sluice/core'
import type { ControllerSetting, ObservedLimiter } from './controller.js'

/** The shipped semaphore, and a look into it. */
export class SemaphoreLimiter implements ObservedLimiter {
  readonly #semaphore: AdaptiveSemaphore

  constructor({ prior, world, truth: _, ...setting }: ControllerSetting, options: AdaptiveSemaphoreOptions = {}) {
    this.#semaphore = new AdaptiveSemaphore({ clock: world, ...setting, ...(prior && { prior }), ...options })
  }

  get limit(): number {
    return this.#semaphore.snapshot().limit
  }

  get inFlight(): number {
    return this.#semaphore.snapshot().inFlight
  }

  get queued(): number {
    return this.#semaphore.snapshot().queued
  }

  tryAcquire(options: AcquireOptions): Slot | null {
    return this.#semaphore.tryAcquire(options)
  }

  acquire(options: AcquireOptions): Promise<Slot> {
    return this.#semaphore.acquire(options)
  }
}
