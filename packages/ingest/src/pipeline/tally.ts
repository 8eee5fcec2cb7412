import type { Clock } from '@sluice/core'
import { DrainRate } from '../drain-rate.js'

/** What waits to be written of some data sources, that included which is on its way to the disk: as running sums. */
export class Tally {
  /** As they lie in the spool, or about that. */
  bytes = 0
  /** Pieces: rows of one batch for one partition, at most as many as a block may have (I5). */
  pieces = 0

  add(bytes: number, pieces: number): void {
    this.bytes += bytes
    this.pieces += pieces
  }

  /** A record of so many bytes is written whole. */
  written(bytes: number): void {
    this.bytes -= bytes
  }
}

/** Of all data sources of one tenant. */
export class TenantTally extends Tally {
  /** Data sources that have a queue now: without any it can be forgotten. */
  queues = 0
  /** Bytes of records that were written whole. */
  readonly drained: DrainRate

  constructor(clock: Pick<Clock, 'now'>) {
    super()
    this.drained = new DrainRate({ clock })
  }

  override written(bytes: number): void {
    super.written(bytes)
    this.drained.add(bytes)
  }
}

/** What a record takes in a spool beside its payload and its data source's name: about that of `Spool`. */
const RECORD_BYTES = 33

/** What a batch takes in the spool, or about that. */
export const bytesInSpool = (source: string, payloadBytes: number): number =>
  payloadBytes + source.length + RECORD_BYTES
