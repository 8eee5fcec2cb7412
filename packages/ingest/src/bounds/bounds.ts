import { complete, type Fields } from '../settings.js'

/** What a {@link Bounds} can be told (I5). */
export interface BoundsOptions {
  /** Bytes of one data source that may wait to be written. Default 268 435 456: 256 MiB. */
  maxSourceBytes?: number | undefined
  /** How old, in ms, the oldest event of one data source may be. Default 86 400 000: a day. */
  maxSourceAgeMs?: number | undefined
  /** Bytes of all data sources together. Default 4 294 967 296: 4 GiB. */
  maxTotalBytes?: number | undefined
  /** How old the oldest event of all may be. Default 172 800 000: two days. */
  maxTotalAgeMs?: number | undefined
  /** The longest wait that is stated, also where nothing drains. Default 60 000. */
  maxRetryAfterMs?: number | undefined
}

const FIELDS = {
  maxSourceBytes: [268_435_456, 'a number above 0'],
  maxSourceAgeMs: [86_400_000, 'a number above 0'],
  maxTotalBytes: [4_294_967_296, 'a number above 0'],
  maxTotalAgeMs: [172_800_000, 'a number above 0'],
  maxRetryAfterMs: [60_000, 'a number above 0'],
} as const satisfies Fields

/** What waits to be written, of one data source or of all. */
export interface Backlog {
  readonly bytes: number
  /** How old its oldest event is; 0: there is none. */
  readonly oldestMs: number
  /** Bytes a second that were written lately: {@link DrainRate}. */
  readonly drainedPerSecond: number
}

/** What becomes of a request with events. */
export type BoundsVerdict =
  | { readonly status: 202; readonly bound: null; readonly retryAfterMs: null }
  /** Refused: 429 by a bound of the source's own, 503 by one of all together. Null: it is larger than the bound itself. */
  | {
      readonly status: 429 | 503
      readonly bound: 'source_bytes' | 'source_age' | 'total_bytes' | 'total_age'
      readonly retryAfterMs: number | null
    }

/** Bounds of one data source, in place of those of all. */
export type SourceBounds = Pick<BoundsOptions, 'maxSourceBytes' | 'maxSourceAgeMs'>

const ACCEPTED: BoundsVerdict = { status: 202, bound: null, retryAfterMs: null }

/** How much may wait to be written, in bytes and in age, of each data source and of all (I5). It remembers nothing: the spool does. */
export class Bounds {
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor(options: BoundsOptions = {}) {
    this.#settings = complete('Bounds', FIELDS, options)
  }

  /**
   * Whether so many bytes more may come. A source's own bounds count first: who is over both has to do with its own.
   * @param bytes of the request
   * @param source what waits of its data source
   * @param total what waits of all of them
   * @param own bounds that this data source has of its own
   */
  judge(bytes: number, source: Backlog, total: Backlog, own: SourceBounds = {}): BoundsVerdict {
    const { maxTotalBytes, maxTotalAgeMs } = this.#settings
    const { maxSourceBytes = this.#settings.maxSourceBytes, maxSourceAgeMs = this.#settings.maxSourceAgeMs } = own
    if (source.bytes + bytes > maxSourceBytes)
      return { status: 429, bound: 'source_bytes', retryAfterMs: this.#untilFits(bytes, source, maxSourceBytes) }
    if (source.oldestMs > maxSourceAgeMs)
      return { status: 429, bound: 'source_age', retryAfterMs: this.#untilDrained(source.bytes, source) }
    if (total.bytes + bytes > maxTotalBytes)
      return { status: 503, bound: 'total_bytes', retryAfterMs: this.#untilFits(bytes, total, maxTotalBytes) }
    if (total.oldestMs > maxTotalAgeMs)
      return { status: 503, bound: 'total_age', retryAfterMs: this.#untilDrained(total.bytes, total) }
    return ACCEPTED
  }

  #untilFits(bytes: number, backlog: Backlog, most: number): number | null {
    return bytes > most ? null : this.#untilDrained(backlog.bytes + bytes - most, backlog)
  }

  /** At the rate of late; what drains nothing is asked again after the longest wait. */
  #untilDrained(bytes: number, { drainedPerSecond }: Backlog): number {
    const { maxRetryAfterMs } = this.#settings
    return drainedPerSecond > 0 ? Math.min(maxRetryAfterMs, (bytes * 1000) / drainedPerSecond) : maxRetryAfterMs
  }
}
