import type { Clock } from '../clock/clock.js'
import type { LimitParts } from './adaptive-limit.js'
import type { LimitOptions } from './options.js'
import type { PriorOptions } from './prior.js'
import type { Queue } from './queue.js'
import type { Slot } from './slot.js'

/** Parts of a semaphore that can be exchanged. */
export interface SemaphoreParts extends LimitParts {
  queue?: () => Queue
}

/** How a semaphore is made. Everything is optional. */
export interface AdaptiveSemaphoreOptions extends LimitOptions, PriorOptions {
  /** Default: the system's. */
  clock?: Clock | undefined
  parts?: SemaphoreParts | undefined
}

/** How one call asks for a slot. */
export interface AcquireOptions {
  /** Aborting it leaves the queue at once; the promise rejects with its reason (L13). */
  signal?: AbortSignal | null | undefined
  /** The slot of the call's last attempt: a retry has its place, and is let into a full queue (L12). */
  retryOf?: Slot | undefined
  /** How long the call may be held, in ms. A hold that would last longer refuses it at once (L10). Default Infinity. */
  maxHeldMs?: number | undefined
  /** When the call is over anyhow, on the limiter's clock; a hold that ends later refuses it at once. Default Infinity. */
  endsAtMs?: number | undefined
}
