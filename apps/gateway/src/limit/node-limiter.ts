import { AdaptiveSemaphore, type AttemptReport, type Clock, type Slot } from '@sluice/core'
import { FairQueue, type TenantAcquire } from './fair-queue.js'
import type { LimitConfig } from './limit-config.js'
import { StillClock } from './still-clock.js'

/** What a limiter was told, and when. */
export interface LimitReport {
  /** Epoch ms; the wall clock is read once, when the limiter is made, so that later settings of it change nothing. */
  readonly atMs: number
  readonly report: AttemptReport
  /** Queries in flight at that moment, this one included (L18). */
  readonly inFlight: number
  /** How long it had waited for its slot, in ms, holds left out (L19). */
  readonly waitedMs: number
}

/**
 * Moments are told in eighths of a millisecond: such a number is exact as epoch ms too, so that a recorded report is in
 * the window in which it really was.
 */
const PER_MS = 8

/** The limiter of one node, and who is told what it is told. */
export class NodeLimiter {
  readonly semaphore: AdaptiveSemaphore
  /** Epoch ms, whole. Windows begin there (L3). */
  readonly createdAtMs: number
  readonly #clock: StillClock
  readonly #madeMs: number
  readonly #onReport: (report: LimitReport) => void
  readonly #queue = new FairQueue()
  #throttles = 0

  constructor({ limit, expectedP90Ms }: LimitConfig, clock: Clock, onReport: (report: LimitReport) => void = () => {}) {
    this.#clock = new StillClock(clock)
    this.#madeMs = this.#now()
    this.createdAtMs = Math.round(clock.wallNow())
    this.semaphore = this.#clock.at(
      this.#madeMs,
      () => new AdaptiveSemaphore({ ...limit, clock: this.#clock, expectedP90Ms, parts: { queue: () => this.#queue } }),
    )
    this.#onReport = onReport
  }

  /** How often the node refused. Not each refusal lowers the limit: those within a second halve it once (L9). */
  get throttles(): number {
    return this.#throttles
  }

  /** Waits for a slot, tenants in turn. @throws what {@link AdaptiveSemaphore.acquire} throws */
  acquire(options: TenantAcquire): Promise<Slot> {
    return this.semaphore.acquire(options)
  }

  /** How many queries of a tenant wait for a slot. */
  waitingOf(tenant: string): number {
    return this.#queue.waitingOf(tenant)
  }

  /** An attempt ended (L2). It frees no slot. */
  report(slot: Slot, report: AttemptReport): void {
    if (report.kind === 'throttle') this.#throttles += 1
    const nowMs = this.#now()
    const inFlight = this.#clock.at(nowMs, () => {
      // Reading takes what is due by now, as reporting does: who may start by that is in flight for both.
      const before = this.semaphore.snapshot().inFlight
      slot.report(report)
      return before
    })
    this.#onReport({ atMs: this.createdAtMs + (nowMs - this.#madeMs), report, inFlight, waitedMs: slot.waitedMs })
  }

  #now(): number {
    return Math.floor(this.#clock.now() * PER_MS) / PER_MS
  }
}
