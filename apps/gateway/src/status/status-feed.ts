import type { Clock } from '@sluice/core'
import type { Body } from '../server/contract.js'
import { Follower } from './follower.js'
import type { Condition } from './read-status.js'
import type { Viewer } from './viewer.js'

/** Changes that are closer together are told together. */
const EVERY_MS = 250
/** A connection on which nothing is said for longer gets a comment. */
const SILENCE_MS = 15_000

/**
 * Tells followers how everything is doing, now and when it changes. While somebody follows, it looks four times a second:
 * much of what a limiter knows changes by time alone (L16). While nobody does it has no timer.
 */
export class StatusFeed {
  readonly #read: (viewer?: Viewer) => Condition
  readonly #clock: Clock
  readonly #followers = new Map<Follower, Following>()
  #stopTimer: (() => void) | null = null
  #closed = false

  constructor(read: (viewer?: Viewer) => Condition, clock: Clock) {
    this.#read = read
    this.#clock = clock
  }

  /** As it is now, for a viewer; without one no data sources are shown. */
  now(viewer?: Viewer): Body['Status'] {
    const { state, ...rest } = this.#read(viewer)
    return { state, at: new Date(this.#clock.wallNow()).toISOString(), ...rest }
  }

  /**
   * Server-sent events: the whole status at once and at each change. Ends when it is cancelled, or the feed closes.
   * @param onLeave called once, when it has ended
   */
  follow(onLeave: () => void = () => undefined, viewer?: Viewer): ReadableStream<Uint8Array> {
    const follower = new Follower(SILENCE_MS)
    if (this.#closed) {
      follower.end()
      onLeave()
    } else {
      const status = this.now(viewer)
      this.#followers.set(follower, { onLeave, viewer, condition: conditionOf(status) })
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
    const now = this.#clock.now()
    // Once for all that see the same, however many they are.
    const seen = new Map<string | undefined, { readonly frame: string; readonly condition: string }>()
    for (const [follower, following] of this.#followers) {
      const { viewer } = following
      const it = seen.get(viewer?.key) ?? seenBy(this.now(viewer))
      seen.set(viewer?.key, it)
      if (it.condition !== following.condition) follower.tell(it.frame, now)
      else follower.keep(now)
      following.condition = it.condition
    }
  }

  #leave(follower: Follower): void {
    const following = this.#followers.get(follower)
    this.#followers.delete(follower)
    following?.onLeave()
    if (this.#followers.size > 0) return
    this.#stopTimer?.()
    this.#stopTimer = null
  }
}

interface Following {
  /** Called when it leaves. */
  readonly onLeave: () => void
  readonly viewer: Viewer | undefined
  /** Of what it was told last, as JSON without its time. */
  condition: string
}

const seenBy = (status: Body['Status']) => ({ frame: frameOf(status), condition: conditionOf(status) })
const conditionOf = ({ at: _, ...condition }: Body['Status']): string => JSON.stringify(condition)
const frameOf = (status: Body['Status']): string => `event: status\ndata: ${JSON.stringify(status)}\n\n`
