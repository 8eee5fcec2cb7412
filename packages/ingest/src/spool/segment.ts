/** A segment, as the process knows it. */
export interface Segment {
  readonly path: string
  /** A secret that its checksums begin with. */
  readonly seed: number
  /** The highest sequence number of events in it; at least that of all before it. */
  last: number
  /** That are known to be on disk: up to the end of a record. */
  bytes: number
  /** Of these, claims that were copied from older segments. */
  copiedClaimBytes: number
  /** What is kept of it lies in younger segments too, so that it can go. */
  isCopied: boolean
}
