import { complete, type Fields } from '../settings.js'

/** What a {@link Bounds} can be told (I5). A piece is rows of one batch for one partition, at most as many as a block may have. */
export interface BoundsOptions {
  /** Bytes of one data source that may wait to be written. Default 268 435 456: 256 MiB. */
  maxSourceBytes?: number | undefined
  /** And pieces: each takes memory, however small it is. Default 100 000. */
  maxSourcePieces?: number | undefined
  /** How old, in ms, the oldest event of one data source may be. Default 86 400 000: a day. */
  maxSourceAgeMs?: number | undefined
  /** Bytes of all data sources together. Default 4 294 967 296: 4 GiB. */
  maxTotalBytes?: number | undefined
  /** And pieces. Default 1 000 000. */
  maxTotalPieces?: number | undefined
  /** How old the oldest event may be of all data sources that do not hold back their own. Default 172 800 000: two days. */
  maxTotalAgeMs?: number | undefined
  /** Of the bytes and pieces of all together, what those of one tenant may have, where there are tenants. Default 0.5. */
  maxTenantShare?: number | undefined
  /** The longest wait that is stated, also where nothing drains. Default 60 000. */
  maxRetryAfterMs?: number | undefined
}

const FIELDS = {
  maxSourceBytes: [268_435_456, 'a number above 0'],
  maxSourcePieces: [100_000, 'a number above 0'],
  maxSourceAgeMs: [86_400_000, 'a number above 0'],
  maxTotalBytes: [4_294_967_296, 'a number above 0'],
  maxTotalPieces: [1_000_000, 'a number above 0'],
  maxTotalAgeMs: [172_800_000, 'a number above 0'],
  maxTenantShare: [0.5, 'a number from 0 to 1'],
  maxRetryAfterMs: [60_000, 'a number above 0'],
} as const satisfies Fields

/** A request with events. */
export interface Load {
  readonly bytes: number
  readonly pieces: number
}

/** What waits to be written, of one data source, of its tenant or of all. */
export interface Backlog extends Load {
  /** How old its oldest event is; 0: there is none. */
  readonly oldestMs: number
  /** Bytes a second that were written lately: {@link DrainRate}. */
  readonly drainedPerSecond: number
}

/** What waits when a request comes. */
export interface Waiting {
  readonly source: Backlog
  /** Of its tenant's data sources. Undefined: there are no tenants. Its age is none of a bound's. */
  readonly tenant?: Omit<Backlog, 'oldestMs'> | undefined
  readonly total: Backlog
}

/** Which bound a request is over. */
export type Bound =
  | ('source_bytes' | 'source_pieces' | 'source_age')
  | ('tenant_bytes' | 'tenant_pieces')
  | ('total_bytes' | 'total_pieces' | 'total_age')

/** What becomes of a request with events. */
export type BoundsVerdict =
  | { readonly status: 202; readonly bound: null; readonly retryAfterMs: null }
  /** Refused: 429 by a bound of the source's own or its tenant's, 503 by one of all. Null: it is larger than the bound itself. */
  | { readonly status: 429 | 503; readonly bound: Bound; readonly retryAfterMs: number | null }

/** Bounds of one data source, in place of those of all. */
export type SourceBounds = Pick<BoundsOptions, 'maxSourceBytes' | 'maxSourcePieces' | 'maxSourceAgeMs'>

const ACCEPTED: BoundsVerdict = { status: 202, bound: null, retryAfterMs: null }

/** How much may wait to be written, in bytes, pieces and age, of each data source, each tenant and all (I5). It remembers nothing: the spool does. */
export class Bounds {
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor(options: BoundsOptions = {}) {
    this.#settings = complete('Bounds', FIELDS, options)
  }

  /**
   * Whether so much more may come. A source's own bounds count first, then its tenant's: who is over several has to do
   * with its own.
   * @param own bounds that this data source has of its own
   */
  judge(load: Load, { source, tenant, total }: Waiting, own: SourceBounds = {}): BoundsVerdict {
    const { maxTotalBytes, maxTotalPieces, maxTotalAgeMs, maxTenantShare } = this.#settings
    const { maxSourceBytes = this.#settings.maxSourceBytes, maxSourcePieces = this.#settings.maxSourcePieces } = own
    const refusal =
      this.#fits('source', load, source, maxSourceBytes, maxSourcePieces) ??
      (this.isTooOld(source.oldestMs, own) ? ({ bound: 'source_age', ms: this.#untilGone(source) } as const) : null) ??
      (tenant && this.#fits('tenant', load, tenant, maxTenantShare * maxTotalBytes, maxTenantShare * maxTotalPieces))
    if (refusal) return { status: 429, bound: refusal.bound, retryAfterMs: refusal.ms }
    const ofAll = this.#fits('total', load, total, maxTotalBytes, maxTotalPieces)
    if (ofAll) return { status: 503, bound: ofAll.bound, retryAfterMs: ofAll.ms }
    if (total.oldestMs > maxTotalAgeMs) return { status: 503, bound: 'total_age', retryAfterMs: this.#untilGone(total) }
    return ACCEPTED
  }

  /** Whether no more of a data source is accepted whose oldest event is so old. */
  isTooOld(oldestMs: number, { maxSourceAgeMs = this.#settings.maxSourceAgeMs }: SourceBounds = {}): boolean {
    return oldestMs > maxSourceAgeMs
  }

  /** Null: it does. */
  #fits<Scope extends 'source' | 'tenant' | 'total'>(
    scope: Scope,
    { bytes, pieces }: Load,
    backlog: Omit<Backlog, 'oldestMs'>,
    maxBytes: number,
    maxPieces: number,
  ): { readonly bound: `${Scope}_bytes` | `${Scope}_pieces`; readonly ms: number | null } | null {
    const bytesOver = backlog.bytes + bytes - maxBytes
    if (bytesOver > 0)
      return { bound: `${scope}_bytes`, ms: bytes > maxBytes ? null : this.#untilDrained(bytesOver, backlog) }
    const piecesOver = backlog.pieces + pieces - maxPieces
    if (piecesOver <= 0) return null
    // Pieces drain with the bytes that they have.
    const share = (piecesOver * backlog.bytes) / backlog.pieces
    return { bound: `${scope}_pieces`, ms: pieces > maxPieces ? null : this.#untilDrained(share, backlog) }
  }

  #untilGone(backlog: Backlog): number {
    return this.#untilDrained(backlog.bytes, backlog)
  }

  /** At the rate of late; what drains nothing is asked again after the longest wait. */
  #untilDrained(bytes: number, { drainedPerSecond }: Pick<Backlog, 'drainedPerSecond'>): number {
    const { maxRetryAfterMs } = this.#settings
    return drainedPerSecond > 0 ? Math.min(maxRetryAfterMs, (bytes * 1000) / drainedPerSecond) : maxRetryAfterMs
  }
}
