import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { LimiterDisposedError } from '../errors/limiter-disposed-error.js'
import { QueueFullError } from '../errors/queue-full-error.js'
import { QueueTimeoutError } from '../errors/queue-timeout-error.js'
import { onAbort } from '../retry/on-abort.js'
import { AdaptiveLimit } from './adaptive-limit.js'
import { Alarm } from './alarm.js'
import { heldRefusal } from './held-refusal.js'
import { Listeners, type SubscribeOptions } from './listeners.js'
import { limitOptions, type ResolvedLimitOptions } from './options.js'
import { priorOf, type SavedBaseline } from './prior.js'
import { FifoQueue, type Queue } from './queue.js'
import type { AttemptReport } from './report.js'
import type { AcquireOptions, AdaptiveSemaphoreOptions } from './semaphore-options.js'
import { Slot, type SlotOwner } from './slot.js'
import type { LimitEvent, LimitSnapshot } from './snapshot.js'
import { Waiter } from './waiter.js'
import { WaitingRoom } from './waiting-room.js'

type Task<T> = (slot: Slot) => PromiseLike<T> | T
const NO_OPTIONS: AcquireOptions = {}
/** Where nobody has waited yet: there may be many limiters, and few whose calls ever wait. */
const NOBODY = /* @__PURE__ */ new WaitingRoom(/* @__PURE__ */ new FifoQueue())

/**
 * Lets so many calls be in flight as the backend bears: at most `maxConcurrent`, fewer after a throttle (L9), fewer while
 * it is slower than it usually is (L6), none while it asked to be left alone (L10). Who finds no slot waits in a bounded
 * queue (L13). A bulkhead whose size follows the load. Share one among the calls to one server.
 */
export class AdaptiveSemaphore {
  readonly #clock: Clock
  readonly #limit: AdaptiveLimit
  readonly #backendId: string
  readonly #makeQueue: (() => Queue) | undefined
  #waiting = NOBODY
  #alarm: Alarm | undefined
  readonly #owner: SlotOwner
  #listeners: Listeners | undefined // made for the first who listens
  #inFlight = 0
  #places = 0
  #held = false // a hold is on, or its end has not been taken yet
  /** The moment whose timeouts come as soon as everything else of that moment has had its turn. */
  #expiringAtMs: number | null = null
  #disposed = false

  /**
   * @param checked the options of many limiters, checked once; those of `options` that say the same are not looked at
   * @throws TypeError that names the option, its value and what is allowed, with the option's name as `field`
   */
  constructor(options: AdaptiveSemaphoreOptions = {}, checked?: ResolvedLimitOptions) {
    const { clock = systemClock, parts = {}, backendId, saved, prior, expectedP90Ms, ...limit } = options
    this.#clock = clock
    this.#backendId = backendId ?? ''
    this.#limit = new AdaptiveLimit(checked ?? limitOptions(limit, 'AdaptiveSemaphore'), {
      createdAtMs: clock.now(),
      prior: priorOf({ backendId, saved, prior, expectedP90Ms }, clock.wallNow()),
      parts,
      emit: (type) => this.#listeners?.tell(type),
    })
    this.#makeQueue = parts.queue
    this.#owner = {
      release: (nowMs) => this.#release(nowMs),
      report: (report, nowMs, waitedMs) => this.#report(report, nowMs, waitedMs),
    }
  }

  /**
   * Runs a task in a slot. A task that succeeds is a sample of as long as it took, unless it reported for itself through
   * its slot; one that fails is none.
   * @throws what {@link acquire} throws, and what the task throws
   */
  run<T>(task: Task<T>, options: AcquireOptions = NO_OPTIONS): Promise<T> {
    return this.#perform(task, this.#enter(options), options)
  }

  /**
   * Waits for a slot, which must be released.
   * @throws QueueFullError, QueueTimeoutError; ThrottledError with reason `held` where a hold outlasts the call's own
   *   bounds; the signal's reason; LimiterDisposedError
   */
  acquire(options: AcquireOptions = NO_OPTIONS): Promise<Slot> {
    return Promise.resolve(this.#enter(options))
  }

  /** A slot, if one is free now and nobody waits for it; else null. */
  tryAcquire({ signal, retryOf }: AcquireOptions = NO_OPTIONS): Slot | null {
    if (this.#disposed || signal?.aborted) return null
    const now = this.#settle()
    return this.#isOpen(now) ? this.#take(retryOf?.place ?? this.#places++, now) : null
  }

  /** Tells how an attempt ended; each should be told once, retried or not. It frees no slot. */
  report(report: AttemptReport): void {
    this.#report(report)
  }

  /** Whether nothing is in flight, waits or is held: it could be forgotten, but for what it learned. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.size === 0 && !this.#limit.hold.isOn(this.#settle())
  }

  /** What it knows now. Reading changes nothing but what the time has made due anyhow (L16). */
  snapshot(): LimitSnapshot {
    return this.#read(this.#settle())
  }

  /**
   * Calls `listener` a microtask after each change (L15); what it throws is thrown to the platform. What only time brings
   * is noticed when somebody asks, reports or waits: no timer runs for it alone.
   * @returns a function that ends it
   */
  subscribe(listener: (event: LimitEvent) => void, { status = false }: SubscribeOptions = {}): () => void {
    this.#settle() // a window that ended before this is none of the listener's
    this.#listeners ??= new Listeners(() => this.#read(this.#clock.now()))
    return this.#listeners.add(listener, status ? this.#limit.monitor.endsAtMs : null)
  }

  /** The present is the ordinary from now on: the latency ceiling is back at its maximum (L8). */
  resetBaseline(): void {
    const now = this.#settle()
    this.#limit.resetBaseline(now)
    this.#arm(this.#settle(now))
  }

  /** What it learned, for the `saved` of another process (L17); null while that is nothing to rely on. */
  save(): SavedBaseline | null {
    this.#settle()
    const { kept } = this.#limit.monitor
    return kept && { version: 1, backendId: this.#backendId, savedAtMs: this.#clock.wallNow(), ...kept }
  }

  /** Ends it: no timer is left, who waits is rejected with LimiterDisposedError, and so is who comes (L16). */
  dispose(): void {
    this.#disposed = true
    for (const waiter of this.#waiting.all()) this.#remove(waiter).reject(new LimiterDisposedError())
    this.#alarm?.clear()
  }

  /** A slot at once where one is free: who needs not wait needs no promise. */
  #enter(options: AcquireOptions): Slot | Promise<Slot> {
    const { signal, retryOf } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#disposed) return Promise.reject(new LimiterDisposedError())
    const now = this.#settle()
    const place = retryOf?.place ?? this.#places++
    if (this.#isOpen(now)) return this.#take(place, now)
    const { maxQueue } = this.#limit.options
    const waiter = new Waiter(options, place, now, this.#limit.hold.heldMs(now))
    const refusal = heldRefusal(this.#limit.hold, waiter, now)
    if (refusal) return Promise.reject(refusal)
    if (!retryOf && this.#waiting.size >= maxQueue) {
      this.#listeners?.tell('queue_rejected')
      return Promise.reject(new QueueFullError(maxQueue))
    }
    if (signal) waiter.unlink = onAbort(signal, () => this.#leave(waiter, signal.reason))
    if (this.#waiting === NOBODY) this.#waiting = new WaitingRoom(this.#makeQueue?.() ?? new FifoQueue())
    this.#waiting.add(waiter)
    if (this.#waiting.size === 1) this.#arm(now) // whoever comes later has patience for longer
    return waiter.promise()
  }

  /** The wait and the task in one: to hand a slot from one promise to another takes longer than all else. */
  async #perform<T>(task: Task<T>, entered: Slot | Promise<Slot>, { signal }: AcquireOptions): Promise<T> {
    const slot = entered instanceof Slot ? entered : await entered
    try {
      signal?.throwIfAborted() // it may have been aborted between the slot and here
      const value = await task(slot)
      const now = this.#clock.now()
      const latencyMs = now - slot.sinceMs
      if (!slot.reported) this.#limit.report({ kind: 'success', latencyMs }, now, this.#inFlight, slot.waitedMs)
      slot.release(now) // who may start does
      return value
    } finally {
      slot.release()
    }
  }

  #report(report: AttemptReport, nowMs?: number, waitedMs = 0): void {
    const now = this.#settle(nowMs)
    if (this.#limit.report(report, now, this.#inFlight || null, waitedMs)) this.#hold(now) // L18: none is not known
    this.#arm(now) // nobody can start; but when somebody can may have changed
  }

  #release(nowMs?: number): void {
    this.#inFlight--
    this.#arm(this.#settle(nowMs))
  }

  /** Brings everything up to now: what is due changes the limit, and who can start then does. @returns now */
  #settle(now: number = this.#clock.now()): number {
    this.#limit.settle(now)
    const { hold, enforced } = this.#limit
    if (this.#held && !hold.isOn(now)) {
      this.#held = false
      this.#waiting.spread(hold.untilMs, enforced)
    }
    if (this.#waiting.size > 0) this.#pump(now)
    if (this.#listeners && now >= this.#listeners.statusDueMs) this.#listeners.tellStatus(this.#limit.monitor.endsAtMs)
    return now
  }

  /** Whether a call that comes now starts at once. */
  #isOpen(now: number): boolean {
    return this.#waiting.size === 0 && this.#inFlight < this.#limit.enforced && !this.#limit.hold.isOn(now)
  }

  /** L11, L13: who waits starts as soon as there is a slot, in turn. */
  #pump(now: number): void {
    const { hold } = this.#limit
    if (hold.isOn(now)) return
    while (this.#inFlight < this.#limit.enforced) {
      const { next, nextAtMs } = this.#waiting
      if (!next || nextAtMs > now) return
      if (next.options.signal?.aborted) {
        this.#remove(next).reject(next.options.signal.reason) // it shares its signal with one whose leaving made room
        continue
      }
      const heldMs = next.heldMs(hold, now)
      this.#remove(next).resolve(this.#take(next.place, now, heldMs, next.waitedMs(hold, now)))
    }
  }

  #take(place: number, now: number, heldMs = 0, waitedMs = 0): Slot {
    this.#inFlight++
    return new Slot(this.#owner, place, now, heldMs, waitedMs)
  }

  /** A hold began or grew: what is queued obeys it, and who cannot wait that long is told at once (L10). */
  #hold(now: number): void {
    this.#held = true
    this.#waiting.gather()
    for (const waiter of this.#waiting.all()) {
      const refusal = heldRefusal(this.#limit.hold, waiter, now)
      if (refusal) this.#remove(waiter).reject(refusal)
    }
  }

  #leave(waiter: Waiter, reason: unknown): void {
    this.#remove(waiter).reject(reason)
    this.#arm(this.#settle()) // it may have been the last that others waited for
  }

  #remove(waiter: Waiter): Waiter {
    waiter.unlink()
    this.#waiting.remove(waiter)
    if (this.#waiting.size === 0) {
      this.#alarm?.clear()
      this.#expiringAtMs = null
    }
    return waiter
  }

  /**
   * Sets the one timer for whatever may come first for those who wait: after anything but time that can make it come
   * sooner. What time alone brings, the timer was set for.
   */
  #arm(now: number): void {
    if (this.#waiting.size === 0 || this.#expiringAtMs !== null) return
    const { hold, enforced, mayRiseAtMs, mayShedAtMs } = this.#limit
    const { nextAtMs } = this.#waiting
    let due = Math.min(this.#expiresAtMs(now), mayShedAtMs)
    if (nextAtMs > now) due = Math.min(due, nextAtMs)
    if (this.#inFlight >= enforced) due = Math.min(due, mayRiseAtMs)
    this.#alarm ??= new Alarm(this.#clock, () => this.#wake())
    this.#alarm.set(hold.isOn(now) ? hold.untilMs : due, now)
  }

  #wake(): void {
    const now = this.#settle()
    const expiringAtMs = this.#expiringAtMs
    this.#expiringAtMs = null
    if (expiringAtMs !== null) {
      this.#expire(expiringAtMs)
      this.#settle(now) // they may have been the last that others waited for
    }
    if (!this.#limit.hold.isOn(now) && this.#expiresAtMs(now) <= now) {
      // L13: a slot that comes free in this very millisecond wins over the timeout, so it has one more turn.
      this.#alarm?.set(now, now)
      this.#expiringAtMs = now
    } else this.#arm(now)
  }

  /** When the first who waits has waited too long: held time is not queue time (L10). */
  #expiresAtMs(now: number): number {
    return this.#waiting.firstSinceMs + this.#limit.patienceMs + this.#limit.hold.heldMs(now)
  }

  #expire(atMs: number): void {
    for (let { first } = this.#waiting; first && this.#expiresAtMs(atMs) <= atMs; { first } = this.#waiting) {
      const { patienceMs, hold } = this.#limit
      this.#remove(first).reject(new QueueTimeoutError(patienceMs, first.waitedMs(hold, atMs)))
      this.#listeners?.tell('queue_rejected')
    }
  }

  #read(now: number): LimitSnapshot {
    return Object.assign(this.#limit.snapshot(now), { inFlight: this.#inFlight, queued: this.#waiting.size })
  }
}
