import type { Status } from '@sluice/client'
import type { Clock } from '@sluice/fetch/page'
import type { Connection } from './connection.js'
import { NodeRecord } from './node-record.js'

/** What components see; another object after each change. */
export interface StatusView {
  readonly connection: Connection
  /** How often it was live again after it had been lost. */
  readonly reconnections: number
  /** The last one told; null before the first. */
  readonly status: Status | null
  /** How far the gateway's clock is ahead of this one's, as the last status told, in ms. */
  readonly aheadMs: number
  readonly records: readonly NodeRecord[]
  /** The latest second that is sampled. */
  readonly second: number
}

const secondOf = (ms: number): number => Math.floor(ms / 1000)

/** Takes what the stream tells, samples it once a second, and tells components: at most as often as it is told itself. */
export class StatusStore {
  readonly #clock: Clock
  readonly #records = new Map<string, NodeRecord>()
  readonly #listeners = new Set<() => void>()
  /** Whether something was told over the connection that there is now. */
  #told = false
  #view: StatusView

  constructor(clock: Clock) {
    this.#clock = clock
    const second = secondOf(clock.wallNow())
    this.#view = { connection: { kind: 'connecting' }, reconnections: 0, status: null, aheadMs: 0, records: [], second }
  }

  /** Samples from now on. @returns a function that ends it */
  start(): () => void {
    let cancel = (): void => {}
    const tick = (): void => {
      const now = this.#clock.wallNow()
      cancel = this.#clock.timer(1000 - (now % 1000), tick)
      this.#sample()
      this.#changed({ second: secondOf(now) })
    }
    tick()
    return () => cancel()
  }

  readonly setConnection = (connection: Connection): void => {
    this.#sample() // with what was known until now
    this.#told = false
    const { connection: before, reconnections } = this.#view
    const again = before.kind === 'lost' && connection.kind === 'live'
    this.#changed({ connection, reconnections: reconnections + (again ? 1 : 0) })
  }

  readonly setStatus = (status: Status): void => {
    this.#sample()
    for (const node of status.nodes) {
      const known = this.#records.get(node.name)
      if (known) known.update(node, this.#told)
      else this.#records.set(node.name, new NodeRecord(node, secondOf(this.#clock.wallNow())))
    }
    this.#told = true
    const named = new Set(status.nodes.map(({ name }) => name))
    for (const name of this.#records.keys()) if (!named.has(name)) this.#records.delete(name)
    const aheadMs = Date.parse(status.at) - this.#clock.wallNow()
    this.#changed({ status, aheadMs, records: [...this.#records.values()] })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): StatusView => this.#view

  #sample(): void {
    const known = this.#view.connection.kind === 'live'
    for (const record of this.#records.values()) record.sampleUntil(secondOf(this.#clock.wallNow()), known)
  }

  #changed(changes: Partial<StatusView>): void {
    this.#view = { ...this.#view, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
