import { type Clock, systemClock } from '@sluice/core'
import { checked, complete, type Fields } from '../settings.js'

/** An event that waits to be written. */
export interface GatheredEvent<Row> {
  /** Where it goes: events of one partition are written together. */
  readonly partition: string
  readonly row: Row
  /** Its size, at least 1. */
  readonly bytes: number
  /** How many rows it counts as, where it stands for several. Default 1. */
  readonly count?: number | undefined
}

/** What is to be written with one insert. */
export interface Flush<Row> {
  readonly source: string
  readonly partition: string
  /** In the order in which they came. */
  readonly rows: readonly Row[]
  readonly bytes: number
  /** When the first event of this data source came, of those that were gathered with it. */
  readonly sinceMs: number
}

/** What a {@link Gatherer} can be told (I1). */
export interface GathererOptions {
  /** How long events of a data source are gathered, in ms; a function is asked for each data source. Default 1000. */
  flushIntervalMs?: number | ((source: string) => number) | undefined
  /** So many rows of a data source are written at once, before its interval is over. Default 10 000. */
  maxRows?: number | undefined
  /** So many bytes likewise. Default 8 388 608: 8 MiB. */
  maxBytes?: number | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

const FIELDS = {
  maxRows: [10_000, 'an integer of at least 1'],
  maxBytes: [8_388_608, 'a number of at least 1'],
} as const satisfies Fields

/** What one data source has gathered. */
interface Gathered<Row> {
  readonly sinceMs: number
  readonly intervalMs: number
  readonly byPartition: Map<string, { rows: Row[]; bytes: number }>
  rows: number
  bytes: number
}

/**
 * Gathers events per data source, for a flush interval or until they are many, and hands them out with one flush per
 * partition (I1). Nothing is lost and nothing doubled: each event comes out once, in the order in which it came. It sets
 * no timer: ask {@link nextDueMs} when to call {@link due}.
 */
export class Gatherer<Row> {
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>
  readonly #intervalOf: (source: string) => number
  readonly #clock: Pick<Clock, 'now'>
  /** By interval, of which there are few, and in it by data source: those that are due first come first. */
  readonly #byInterval = new Map<number, Map<string, Gathered<Row>>>()

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor(options: GathererOptions = {}) {
    const { flushIntervalMs = 1000, clock = systemClock, ...rest } = options
    this.#settings = complete('Gatherer', FIELDS, rest, ['flushIntervalMs', 'clock'])
    const interval = (value: number): number => checked('Gatherer', 'flushIntervalMs', value, 'a number above 0')
    if (typeof flushIntervalMs === 'function') this.#intervalOf = (source) => interval(flushIntervalMs(source))
    else {
      const ms = interval(flushIntervalMs)
      this.#intervalOf = () => ms
    }
    this.#clock = clock
  }

  /**
   * Events of one data source have come.
   * @returns what is to be written now, since they are many; often nothing
   * @throws TypeError where an event's bytes or count are no number of at least 1; then none of them was taken
   */
  add(source: string, events: readonly GatheredEvent<Row>[]): Flush<Row>[] {
    for (const { bytes, count = 1 } of events) {
      checked('Gatherer.add', 'bytes', bytes, 'a number of at least 1')
      checked('Gatherer.add', 'count', count, 'an integer of at least 1')
    }
    const flushes: Flush<Row>[] = []
    for (const { partition, row, bytes, count = 1 } of events) {
      const gathered = this.#of(source)
      const block = gathered.byPartition.get(partition) ?? { rows: [], bytes: 0 }
      gathered.byPartition.set(partition, block)
      block.rows.push(row)
      block.bytes += bytes
      gathered.rows += count
      gathered.bytes += bytes
      if (gathered.rows >= this.#settings.maxRows || gathered.bytes >= this.#settings.maxBytes)
        flushes.push(...this.#take(source, gathered))
    }
    return flushes
  }

  /** What is to be written now because its interval is over, the oldest first. */
  due(): Flush<Row>[] {
    const now = this.#clock.now()
    const over: [string, Gathered<Row>][] = []
    for (const [intervalMs, sources] of this.#byInterval)
      for (const entry of sources) {
        if (now < entry[1].sinceMs + intervalMs) break // those behind it came later
        over.push(entry)
      }
    over.sort(([, one], [, other]) => one.sinceMs + one.intervalMs - other.sinceMs - other.intervalMs)
    return over.flatMap(([source, gathered]) => this.#take(source, gathered))
  }

  /** When {@link due} has something next; null: nothing is gathered. */
  get nextDueMs(): number | null {
    const first = [...this.#byInterval].map(([intervalMs, sources]) => {
      for (const { sinceMs } of sources.values()) return sinceMs + intervalMs
      return Number.POSITIVE_INFINITY
    })
    return first.length === 0 ? null : Math.min(...first)
  }

  /** Everything of a data source, or of all of them, before its time: where the process ends, or a route changes. */
  flush(source?: string): Flush<Row>[] {
    return this.#all()
      .filter(([name]) => source === undefined || name === source)
      .flatMap(([name, gathered]) => this.#take(name, gathered))
  }

  #all(): [string, Gathered<Row>][] {
    return [...this.#byInterval.values()].flatMap((sources) => [...sources])
  }

  #of(source: string): Gathered<Row> {
    for (const sources of this.#byInterval.values()) {
      const gathered = sources.get(source)
      if (gathered) return gathered
    }
    const intervalMs = this.#intervalOf(source)
    const gathered = { sinceMs: this.#clock.now(), intervalMs, byPartition: new Map(), rows: 0, bytes: 0 }
    const sources = this.#byInterval.get(intervalMs) ?? new Map()
    this.#byInterval.set(intervalMs, sources.set(source, gathered))
    return gathered
  }

  #take(source: string, { sinceMs, intervalMs, byPartition }: Gathered<Row>): Flush<Row>[] {
    const sources = this.#byInterval.get(intervalMs)
    sources?.delete(source)
    if (sources?.size === 0) this.#byInterval.delete(intervalMs)
    return [...byPartition].map(([partition, block]) => ({ source, partition, ...block, sinceMs }))
  }
}
