import { joined } from './lines.js'

/** What is written with one insert. */
export interface Block {
  /** Each of its rows carries it in the column `_block`, by which the block is looked up. */
  readonly id: string
  readonly source: string
  readonly partition: string
  /** How many rows it has. */
  readonly count: number
  /**
   * Its rows in the order in which they came, each as it was accepted: UTF-8, with a line feed between two rows of a piece, and
   * none between two pieces. Nobody may change them.
   */
  readonly pieces: readonly Uint8Array[]
}

/** The rows of a block, for a node that wants all of them: UTF-8, with a line feed between two. */
export function linesOfBlock({ pieces }: Pick<Block, 'pieces'>): Uint8Array {
  return joined(pieces)
}

/** The rows of a block, for a node that wants each by itself. */
export function rowsOfBlock({ pieces }: Pick<Block, 'pieces'>): string[] {
  return pieces.flatMap((piece) => decoder.decode(piece).split('\n'))
}

const decoder = new TextDecoder()

/** The parts of one data source on a node, where they are most, against the engine's own bound (I2). */
export interface ActiveParts {
  readonly active: number
  readonly partsToDelayInsert: number
}

/**
 * Somewhere blocks are written: a server, or an engine in a process of its own. Each call ends when its signal is
 * aborted; what a call rejects with, and is no {@link InsertError}, says that nobody knows.
 */
export interface IngestNode {
  /** By which routes, claims and readings name it: the same after a restart, and no other node's. */
  readonly name: string
  /** Fulfils where the node answers a trivial question. */
  ping(signal: AbortSignal): Promise<void>
  /**
   * Writes all rows of a block, or none.
   * @throws InsertError where it is known that none were written, and whose fault that is
   */
  insert(block: Block, signal: AbortSignal): Promise<void>
  /**
   * Whether a block is written here. False is final: an insert of it that is still under way has been ended before, so
   * that it cannot be written afterwards.
   */
  hasBlock(block: Pick<Block, 'id' | 'source' | 'partition'>, signal: AbortSignal): Promise<boolean>
  /** Null: it cannot tell. */
  activeParts(source: string, signal: AbortSignal): Promise<ActiveParts | null>
}

/**
 * Whose fault it is that a block was not written. `node`: it cannot be reached, or fails. `resources`: it is short of
 * something. `source`: it refuses what this data source sends, and would refuse it again.
 */
export type InsertFault = 'node' | 'resources' | 'source'

/** A block was not written, and that is known: none of its rows are there, and none will be. */
export class InsertError extends Error {
  override readonly name = 'InsertError'

  constructor(
    readonly fault: InsertFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
