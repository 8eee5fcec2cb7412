import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { LimiterDisposedError } from '../errors/limiter-disposed-error.js'
import { QueueFullError } from '../errors/queue-full-error.js'
import { QueueTimeoutError } from '../errors/queue-timeout-error.js'
import { ThrottledError } from '../errors/throttled-error.js'
import { onAbort } from '../retry/on-abort.js'
import { AdaptiveLimit } from './adaptive-limit.js'
import { Alarm } from './alarm.js'
import { limitOptions, type ResolvedLimitOptions } from './options.js'
import { priorOf, type SavedBaseline } from './prior.js'
import { FifoQueue } from './queue.js'
import type { AttemptReport } from './report.js'
import type { AcquireOptions, AdaptiveSemaphoreOptions } from './semaphore-options.js'
import { Slot, type SlotOwner } from './slot.js'
import type { LimitEvent, LimitEventType, LimitSnapshot } from './snapshot.js'
import { Waiter } from './waiter.js'
import { WaitingRoom } from './waiting-room.js'

const NO_OPTIONS: AcquireOptions = {}

/**
 * Lets so many calls be in flight as the backend bears: at most `maxConcurrent`, fewer after a throttle (L9), fewer while
 * it is slower than it usually is (L6), none while it asked to be left alone (L10). Who finds no slot waits in a bounded
 * queue (L13). A bulkhead whose size follows the load. Share one among the calls to one server.
 */
export class AdaptiveSemaphore {
  readonly #clock: Clock
  readonly #limit: AdaptiveLimit
  readonly #backendId: string
  readonly #waiting: WaitingRoom
  readonly #alarm: Alarm
  readonly #owner: SlotOwner
  /** Made for the first who listens: there may be many limiters, and few who do. */
  #listeners: Set<(event: LimitEvent) => void> | null = null
  #inFlight = 0
  #places = 0
  /** A hold is on, or its end has not been taken yet. */
  #held = false
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
      emit: (type) => this.#emit(type),
    })
    this.#waiting = new WaitingRoom(parts.queue?.() ?? new FifoQueue())
    this.#alarm = new Alarm(clock, () => this.#wake())
    this.#owner = { release: (nowMs) => this.#release(nowMs), report: (report) => this.report(report) }
  }

  /**
   * Runs a task in a slot. A task that succeeds is a sample of as long as it took, unless it reported for itself through
   * its slot; one that fails is none.
   *
   * @throws what {@link acquire} throws, and what the task throws
   */
  async run<T>(task: (slot: Slot) => PromiseLike<T> | T, options: AcquireOptions = NO_OPTIONS): Promise<T> {
    const entered = this.#enter(options)
    const slot = entered instanceof Slot ? entered : await entered
    try {
      options.signal?.throwIfAborted() // it may have been aborted between the slot and here
      const startedAtMs = this.#clock.now()
      const value = await task(slot)
      const now = this.#clock.now()
      // Who may start does at the release.
      if (!slot.reported) this.#limit.report({ kind: 'success', latencyMs: now - startedAtMs }, now)
      slot.release(now)
      return value
    } finally {
      slot.release()
    }
  }

  /**
   * Waits for a slot, which must be released.
   *
   * @throws QueueFullError, QueueTimeoutError; ThrottledError with reason `held` where a hold outlasts the call's own
   *   bounds; the signal's reason; LimiterDisposedError
   */
  acquire(options: AcquireOptions = NO_OPTIONS): Promise<Slot> {
    return Promise.resolve(this.#enter(options))
  }

  /** A slot, if one is free now and nobody waits for it; else null. */
  tryAcquire({ signal, retryOf }: AcquireOptions = NO_OPTIONS): Slot | null {
    if (this.#disposed || signal?.aborted) return null
    return this.#isOpen(this.#settle()) ? this.#take(retryOf?.place ?? this.#places++) : null
  }

  /** Tells how an attempt ended; each should be told once, retried or not. It frees no slot. */
  report(report: AttemptReport): void {
    const now = this.#settle()
    if (this.#limit.report(report, now)) this.#hold(now)
    if (report.kind === 'throttle') this.#arm(now) // nobody can start; but when somebody can has changed
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
   * Calls `listener` a microtask after each change; what it throws is thrown to the platform. A change that only time
   * brings is noticed when somebody asks, reports or waits: no timer runs for it alone.
   * @returns a function that ends it
   */
  subscribe(listener: (event: LimitEvent) => void): () => void {
    const entry = (event: LimitEvent): void => listener(event)
    this.#listeners ??= new Set()
    this.#listeners.add(entry)
    return () => void this.#listeners?.delete(entry)
  }

  /** The present is the ordinary from now on: the latency ceiling is back at its maximum (L8). */
  resetBaseline(): void {
    this.#limit.resetBaseline(this.#settle())
    this.#settle()
  }

  /** What it learned, for the `saved` of another process (L17); null while that is nothing to rely on. */
  save(): SavedBaseline | null {
    this.#settle()
    const { baselineMs, windows, trust } = this.#limit.monitor
    if (baselineMs === null || trust === 'unknown') return null
    return { version: 1, backendId: this.#backendId, savedAtMs: this.#clock.wallNow(), baselineMs, windows }
  }

  /** Ends it: no timer is left, who waits is rejected with LimiterDisposedError, and so is who comes (L16). */
  dispose(): void {
    this.#disposed = true
    for (const waiter of this.#waiting.all()) this.#remove(waiter).reject(new LimiterDisposedError())
    this.#alarm.clear()
  }

  /** A slot at once where one is free: who needs not wait needs no promise. */
  #enter(options: AcquireOptions): Slot | Promise<Slot> {
    const { signal, retryOf, maxHeldMs, endsAtMs } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#disposed) return Promise.reject(new LimiterDisposedError())
    const now = this.#settle()
    const place = retryOf?.place ?? this.#places++
    if (this.#isOpen(now)) return this.#take(place)
    const { maxQueue, queueTimeoutMs } = this.#limit.options
    const heldBeforeMs = this.#limit.hold.heldMs(now)
    const deadlineMs = now - heldBeforeMs + queueTimeoutMs
    const waiter = new Waiter(place, { deadlineMs, heldBeforeMs, maxHeldMs, endsAtMs })
    if (this.#outlasts(waiter, now)) return Promise.reject(this.#heldError(waiter, now))
    if (!retryOf && this.#waiting.size >= maxQueue) {
      this.#emit('queue_rejected')
      return Promise.reject(new QueueFullError(maxQueue))
    }
    if (signal) waiter.unlink = onAbort(signal, () => this.#leave(waiter, signal.reason))
    this.#waiting.add(waiter)
    this.#arm(now)
    return waiter.promise()
  }

  #release(nowMs?: number): void {
    this.#inFlight--
    this.#settle(nowMs)
  }

  /** Brings everything up to now: what is due changes the limit, and who can start then does. @returns now */
  #settle(now: number = this.#clock.now()): number {
    this.#limit.settle(now)
    const { hold, enforced } = this.#limit
    if (this.#held && !hold.isOn(now)) {
      this.#held = false
      this.#waiting.spread(hold.untilMs, enforced)
    }
    if (this.#waiting.size > 0) {
      this.#pump(now)
      this.#arm(now)
    }
    return now
  }

  /** Whether a call that comes now starts at once. */
  #isOpen(now: number): boolean {
    return this.#waiting.size === 0 && this.#inFlight < this.#limit.enforced && !this.#limit.hold.isOn(now)
  }

  /** L11, L13: who waits starts as soon as there is a slot, in turn. */
  #pump(now: number): void {
    if (this.#limit.hold.isOn(now)) return
    while (this.#inFlight < this.#limit.enforced) {
      const { next, nextAtMs } = this.#waiting
      if (!next || nextAtMs > now) return
      this.#remove(next).resolve(this.#take(next.place, this.#limit.hold.heldMs(now) - next.heldBeforeMs))
    }
  }

  #take(place: number, heldMs?: number): Slot {
    this.#inFlight++
    return new Slot(this.#owner, place, heldMs)
  }

  /** A hold began or grew: what is queued obeys it, and who cannot wait that long is told at once (L10). */
  #hold(now: number): void {
    this.#held = true
    this.#waiting.gather()
    for (const waiter of this.#waiting.all())
      if (this.#outlasts(waiter, now)) this.#remove(waiter).reject(this.#heldError(waiter, now))
  }

  /** Whether the hold ends after the call's own bounds: held time counts as waited. */
  #outlasts({ heldBeforeMs, maxHeldMs, endsAtMs }: Waiter, now: number): boolean {
    const { hold } = this.#limit
    if (!hold.isOn(now)) return false
    const heldMs = hold.heldMs(now) - heldBeforeMs + hold.untilMs - now
    return hold.untilMs > (endsAtMs ?? Number.POSITIVE_INFINITY) || heldMs > (maxHeldMs ?? Number.POSITIVE_INFINITY)
  }

  #heldError({ heldBeforeMs }: Waiter, now: number): ThrottledError {
    const { hold } = this.#limit
    const retryAfterMs = Math.ceil(hold.untilMs - now)
    const waitedMs = hold.heldMs(now) - heldBeforeMs
    return new ThrottledError({ attempts: 0, waitedMs, reason: 'held', retryAfterMs, status: null, headers: null })
  }

  #leave(waiter: Waiter, reason: unknown): void {
    this.#remove(waiter).reject(reason)
    this.#settle() // it may have been the last that others waited for
  }

  #remove(waiter: Waiter): Waiter {
    waiter.unlink()
    this.#waiting.remove(waiter)
    if (this.#waiting.size === 0) {
      this.#alarm.clear()
      this.#expiringAtMs = null
    }
    return waiter
  }

  /** Sets the one timer for whatever may come first for those who wait. */
  #arm(now: number): void {
    if (this.#waiting.size === 0 || this.#expiringAtMs !== null) return
    const { hold, enforced, mayRiseAtMs } = this.#limit
    const { nextAtMs } = this.#waiting
    let due = this.#expiresAtMs(now)
    if (nextAtMs > now) due = Math.min(due, nextAtMs)
    if (this.#inFlight >= enforced) due = Math.min(due, mayRiseAtMs)
    this.#alarm.set(hold.isOn(now) ? hold.untilMs : due, now)
  }

  #wake(): void {
    const now = this.#settle()
    const expiringAtMs = this.#expiringAtMs
    this.#expiringAtMs = null
    if (expiringAtMs !== null) this.#expire(expiringAtMs)
    if (!this.#limit.hold.isOn(now) && this.#expiresAtMs(now) <= now) {
      // L13: a slot that comes free in this very millisecond wins over the timeout, so it has one more turn.
      this.#alarm.set(now, now)
      this.#expiringAtMs = now
    } else this.#arm(now)
  }

  /** When the first who waits has waited too long: held time is not queue time (L10). */
  #expiresAtMs(now: number): number {
    return this.#waiting.firstDeadlineMs + this.#limit.hold.heldMs(now)
  }

  #expire(atMs: number): void {
    for (let { first } = this.#waiting; first && this.#expiresAtMs(atMs) <= atMs; { first } = this.#waiting) {
      this.#remove(first).reject(new QueueTimeoutError(this.#limit.options.queueTimeoutMs))
      this.#emit('queue_rejected')
    }
  }

  #read(now: number): LimitSnapshot {
    return { ...this.#limit.snapshot(now), inFlight: this.#inFlight, queued: this.#waiting.size }
  }

  #emit(type: LimitEventType): void {
    if (!this.#listeners?.size) return
    const event = { type, ...this.#read(this.#clock.now()) }
    for (const listener of this.#listeners) queueMicrotask(() => listener(event))
  }
}
