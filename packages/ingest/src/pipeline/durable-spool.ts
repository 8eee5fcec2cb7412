import type { Claim, KeptClaim } from '../spool/claim.js'

/** Events as a spool keeps them. */
export interface KeptEvents {
  /** Rises from record to record. */
  readonly sequence: number
  readonly source: string
  /** When they came, in epoch ms. */
  readonly atMs: number
  readonly payload: Uint8Array
}

/** Some bytes of one record's payload. */
export interface PayloadPart {
  readonly sequence: number
  readonly offset: number
  readonly bytes: number
}

/** What an {@link IngestPipeline} keeps events in: the `Spool` of `@sluice/ingest/spool`, or another that keeps its word (I4). */
export interface DurableSpool {
  /** What an earlier process may have sent, in the order of the claims. */
  readonly claims: readonly KeptClaim[]
  /**
   * Fulfils with its sequence number once it is on disk.
   * @param payload its pieces, which nobody changes, one behind the other
   */
  append(source: string, payload: readonly Uint8Array[]): Promise<number>
  /** Fulfils with its sequence number once it is on disk. */
  claim(claim: Claim): Promise<number>
  /** Marks records and claims: all of them, or none. */
  done(sequences: readonly number[]): Promise<void>
  /** Some of what is not done. */
  read(sequences: readonly number[]): Promise<KeptEvents[]>
  /**
   * Parts of payloads, and no more of these in memory than about that. Whoever asks holds them to checksums of their own.
   * @returns one for each; undefined: of what is done, or not known
   */
  readParts(parts: readonly PayloadPart[]): Promise<(Uint8Array | undefined)[]>
  /** All that is not done, in the order in which it came. */
  records(): AsyncIterable<KeptEvents>
  /** What is not done, of one data source or of all. */
  backlog(source?: string): { readonly bytes: number; readonly oldestAtMs: number | null }
  close(): Promise<void>
}
