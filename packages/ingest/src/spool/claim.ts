const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Rows of one record, of the block's partition: from the first to before the last, counted within that partition. */
export type ClaimedRows = readonly [sequence: number, from: number, to: number]

/**
 * Which rows are one block, and which node it goes to (I4). It is on disk before the block is sent, so that after a crash
 * the block can be looked up where it may be.
 */
export interface Claim {
  /** Of the block: what each of its rows carries. */
  readonly id: string
  readonly source: string
  readonly partition: string
  readonly node: string
  readonly rows: readonly ClaimedRows[]
}

/** A claim that an earlier process left. */
export interface KeptClaim extends Claim {
  readonly sequence: number
  /** The block is written: of its records, other rows are not. */
  readonly isDone: boolean
}

/** @param isDone its block is written: of a copy, whose mark may be gone */
export const encodeClaim = ({ id, source, partition, node, rows }: Claim, isDone = false): Uint8Array =>
  encoder.encode(JSON.stringify({ id, source, partition, node, rows, ...(isDone && { isDone }) }))

/** What has passed its checksum was written by {@link encodeClaim}. */
export function decodeClaim(body: Uint8Array): Omit<KeptClaim, 'sequence'> {
  const { isDone = false, ...claim }: Claim & { readonly isDone?: boolean } = JSON.parse(decoder.decode(body))
  return { ...claim, isDone }
}
