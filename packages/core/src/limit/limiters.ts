import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { isObject } from '../errors/is-object.js'
import { shown } from '../retry/policy.js'
import { AdaptiveSemaphore } from './adaptive-semaphore.js'
import { KeyedListener } from './keyed-listener.js'
import type { SubscribeOptions } from './listeners.js'
import { limitOptions } from './options.js'
import type { AdaptiveSemaphoreOptions } from './semaphore-options.js'
import type { LimitEvent } from './snapshot.js'

/** How limiters are kept, one a key. */
export interface LimitersOptions {
  /** What each is made with; a function is asked once for each key. Default: the defaults. */
  limit?: AdaptiveSemaphoreOptions | ((key: string) => AdaptiveSemaphoreOptions) | undefined
  /** One that nobody asked for in so long is forgotten, with what it learned. Default 600 000: ten minutes. */
  idleMs?: number | undefined
  /** Above so many keys the one unused for longest is forgotten, if it is idle. Default 1 000 000. */
  maxKeys?: number | undefined
  /** Default: the system's. The limiters run on it too. */
  clock?: Clock | undefined
}

/** So many that were forgotten are kept track of before it is looked which of them are gone. */
const FEW = 1000

interface Entry {
  limiter: AdaptiveSemaphore
  usedAtMs: number
}

/** Makes limiters that share one copy of their options: there may be a million of them. */
function alike(limit: AdaptiveSemaphoreOptions, clock: Clock): () => AdaptiveSemaphore {
  const { clock: own = clock, parts, backendId, saved, prior, expectedP90Ms, ...rest } = limit
  const [checked, options] = [
    limitOptions(rest, 'Limiters'),
    { clock: own, parts, backendId, saved, prior, expectedP90Ms },
  ]
  return () => new AdaptiveSemaphore(options, checked)
}

/** One limiter a key: a limit, a hold and a baseline are one server's (L10). It has no timer: each look-up forgets a few. */
export class Limiters {
  readonly #make: (key: string) => AdaptiveSemaphore
  readonly #idleMs: number
  readonly #maxKeys: number
  readonly #clock: Clock
  /** In the order of their last use: a Map keeps the order in which keys came, and the used one comes again. */
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<KeyedListener>()
  /** Those that were forgotten, as long as somebody has them still. */
  #forgotten = new Set<WeakRef<AdaptiveSemaphore>>()
  #manyForgotten = FEW

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor(options: LimitersOptions = {}) {
    const { limit = {}, idleMs = 600_000, maxKeys = 1_000_000, clock = systemClock } = options
    for (const [field, value] of Object.entries({ idleMs, maxKeys }))
      if (!(Number.isSafeInteger(value) && value >= 1))
        throw new TypeError(`Limiters: ${field} must be an integer of at least 1; got ${shown(value)}`)
    if (typeof limit !== 'function' && !isObject(limit))
      throw new TypeError(`Limiters: limit must be an object or a function; got ${shown(limit)}`)
    this.#make =
      typeof limit === 'function' ? (key) => new AdaptiveSemaphore({ clock, ...limit(key) }) : alike(limit, clock)
    this.#idleMs = idleMs
    this.#maxKeys = maxKeys
    this.#clock = clock
  }

  /** How many keys are known. */
  get size(): number {
    return this.#entries.size
  }

  /** The limiter of a key, made where there is none. Ask for it with each call: one that is kept aside may be forgotten here. */
  for(key: string): AdaptiveSemaphore {
    const now = this.#clock.now()
    let entry = this.#entries.get(key)
    if (entry) {
      this.#entries.delete(key)
      entry.usedAtMs = now
    } else {
      entry = { limiter: this.#make(key), usedAtMs: now }
      for (const one of this.#listeners) one.follow(key, entry.limiter)
    }
    this.#entries.set(key, entry)
    // Two looks for each that may have come: what is idle goes faster than it can grow.
    for (let looks = 0; looks < 2; looks++) this.#forgetOldest(now)
    return entry.limiter
  }

  /** The limiter of a URL's origin. @throws TypeError for what is no absolute URL */
  forUrl(url: string | URL): AdaptiveSemaphore {
    return this.for(new URL(url).origin)
  }

  /** The keys and their limiters, the one unused for longest first. */
  *[Symbol.iterator](): Generator<[string, AdaptiveSemaphore]> {
    for (const [key, { limiter }] of this.#entries) yield [key, limiter]
  }

  /**
   * Subscribes to all of them, and to those that will be made: `listener` is told the key as well.
   * @returns a function that ends it
   */
  subscribe(listener: (event: LimitEvent, key: string) => void, options: SubscribeOptions = {}): () => void {
    const all = new KeyedListener(listener, options)
    this.#listeners.add(all)
    for (const [key, limiter] of this) all.follow(key, limiter)
    return () => {
      this.#listeners.delete(all)
      all.end()
    }
  }

  /** Disposes all of them, those too that were forgotten while a call of theirs goes on. */
  dispose(): void {
    for (const [key, limiter] of [...this]) this.#forget(key, limiter)
    for (const one of this.#forgotten) one.deref()?.dispose()
    this.#forgotten.clear()
  }

  #forgetOldest(now: number): void {
    const [oldest] = this.#entries
    if (!oldest) return
    const [key, entry] = oldest
    if (entry.usedAtMs === now || (now - entry.usedAtMs <= this.#idleMs && this.#entries.size <= this.#maxKeys)) return
    if (entry.limiter.isIdle) this.#forget(key, entry.limiter)
    else {
      this.#entries.delete(key)
      this.#entries.set(key, { ...entry, usedAtMs: now }) // in use: its turn comes again
    }
  }

  /** It is not disposed: a call that waits for its retry has no slot, and asks it again. Nothing of it is left otherwise. */
  #forget(key: string, limiter: AdaptiveSemaphore): void {
    this.#entries.delete(key)
    for (const one of this.#listeners) one.leave(key)
    this.#forgotten.add(new WeakRef(limiter))
    if (this.#forgotten.size < this.#manyForgotten) return
    this.#forgotten = new Set([...this.#forgotten].filter((one) => one.deref()))
    this.#manyForgotten = Math.max(FEW, 2 * this.#forgotten.size)
  }
}
