import type { Clock } from '@sluice/core'
import type { Body } from '../server/contract.js'
import { Follower } from './follower.js'
import type { Condition } from './read-status.js'

/** Changes that are closer together are told together. */
const EVERY_MS = 250
/** A connection on which nothing is said for longer gets a comment. */
const SILENCE_MS = 15_000

/**
 * Tells followers how everything is doing, now and when it changes. While somebody follows, it looks four times a second:
 * much of what a limiter knows changes by time alone (L16). While nobody does it has no timer.
 */
export class StatusFeed {
  readonly #read: () => Condition
  readonly #clock: Clock
  /** And what is called when each of them leaves. */
  readonly #followers = new Map<Follower, () => void>()
  #stopTimer: (() => void) | null = null
  /** Of what was looked at last, as JSON without its time. */
  #condition = ''
  #closed = false

  constructor(read: () => Condition, clock: Clock) {
    this.#read = read
    this.#clock = clock
  }

  /** As it is now. */
  now(): Body['Status'] {
    const { state, ...rest } = this.#read()
    return { state, at: new Date(this.#clock.wallNow()).toISOString(), ...rest }
  }

  /**
   * Server-sent events: the whole status at once and at each change. Ends when it is cancelled, or the feed closes.
   * @param onLeave called once, when it has ended
   */
  follow(onLeave: () => void = () => undefined): ReadableStream<Uint8Array> {
    const follower = new Follower(SILENCE_MS)
    if (this.#closed) {
      follower.end()
      onLeave()
    } else {
      const status = this.now()
      if (this.#followers.size === 0) this.#condition = conditionOf(status)
      this.#followers.set(follower, onLeave)
      follower.tell(frameOf(status), this.#clock.now())
      this.#stopTimer ??= this.#clock.timer(EVERY_MS, () => this.#tick())
    }
    return follower.stream(() => this.#leave(follower))
  }

  /** Ends every stream, and whoever comes later gets an empty one. */
  close(): void {
    this.#closed = true
    for (const follower of this.#followers.keys()) {
      follower.end()
      this.#leave(follower)
    }
  }

  #tick(): void {
    this.#stopTimer = this.#clock.timer(EVERY_MS, () => this.#tick())
    const status = this.now()
    const condition = conditionOf(status)
    const changed = condition !== this.#condition
    this.#condition = condition
    const now = this.#clock.now()
    for (const follower of this.#followers.keys()) {
      if (changed) follower.tell(frameOf(status), now)
      else follower.keep(now)
    }
  }

  #leave(follower: Follower): void {
    const onLeave = this.#followers.get(follower)
    this.#followers.delete(follower)
    onLeave?.()
    if (this.#followers.size > 0) return
    this.#stopTimer?.()
    this.#stopTimer = null
  }
}

const conditionOf = ({ at: _, ...condition }: Body['Status']): string => JSON.stringify(condition)
const frameOf = (status: Body['Status']): string => `event: status\ndata: ${JSON.stringify(status)}\n\n`
