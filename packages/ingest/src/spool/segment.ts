/** A segment, as the process knows it. */
export interface Segment {
  readonly path: string
  /** A secret that its checksums begin with. */
  readonly seed: number
  /** Sequence numbers in those before it are lower. */
  readonly first: number
  /** The highest sequence number of events in it; at least that of all before it. */
  last: number
  /** That are known to be on disk: up to the end of a record. */
  bytes: number
  /** Of these, claims that were copied from older segments. */
  copiedClaimBytes: number
  /** What is kept of it lies in younger segments too, so that it can go. */
  isCopied: boolean
  /**
   * Its disk does not give back what was written, so nothing is copied from it any more. What is in it has lower sequence
   * numbers than this. Null: it is sound, as far as anybody knows.
   */
  leftBelow: number | null
}

/** One in which nothing is yet, or of which nothing is known. */
export const segmentOf = ({ path, seed, first }: Pick<Segment, 'path' | 'seed' | 'first'>, bytes = 0): Segment => ({
  ...{ path, seed, first, last: first - 1, bytes },
  ...{ copiedClaimBytes: 0, isCopied: false, leftBelow: null },
})
