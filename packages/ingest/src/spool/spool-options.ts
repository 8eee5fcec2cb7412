import type { Clock } from '@sluice/core'
import type { SpoolDamage } from './damage.js'
import type { Fault } from './files.js'

/** What a `Spool` can be told (I4). */
export interface SpoolOptions {
  /**
   * From the beginning of a group on an append waits at most so long for others, to be put on disk with them, in ms; with a
   * quick disk twice as long as that group took. Default 5.
   */
  groupMs?: number | undefined
  /** A segment is followed by another when it has so many bytes. Default 67 108 864: 64 MiB. */
  segmentBytes?: number | undefined
  /**
   * Bytes of the disk that events leave alone: an append that would take of them is refused, so that claims and marks can
   * be written, and what is kept can go. Default 33 554 432: 32 MiB.
   */
  reserveBytes?: number | undefined
  /** Bytes that the disk has left. Default: asks the file system. */
  freeBytes?: (() => Promise<number>) | undefined
  /**
   * Told of what the disk no longer gives back as it was written, once, where that is found while it is open: when the spool
   * would copy it. What it said when it was opened is in its `findings`. Default: nobody is told.
   */
  onDamage?: ((damaged: readonly SpoolDamage[]) => void) | undefined
  /** For tests. */
  fault?: Fault | undefined
  /** Default: the system's. */
  clock?: Clock | undefined
}
