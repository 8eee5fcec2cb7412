/** Ids of a batch's rows are its number times this, and on. */
export const MOST_ROWS = 1000

/** A batch that was sent, and what its sender knows of it. */
export interface SentBatch {
  readonly batch: number
  readonly rows: number
  /** `refused`: it was told that nothing was taken. `unknown`: it had no answer, or was told that the disk failed. */
  outcome: 'acknowledged' | 'refused' | 'unknown'
}

/** What an engine has of one batch. */
export interface FoundBatch {
  readonly batch: number
  readonly rows: number
  readonly distinct: number
}

/** What was found of all batches, in rows. */
export interface Audit {
  acknowledged: number
  lost: number
  doubled: number
  /** Batches of which some rows are there and some are not. */
  inPart: number
  /** Rows that are there though their sender was told that they were not taken. */
  refusedButThere: number
  /** Rows that are there and that nobody was told of: they may be. */
  unknownAndThere: number
  lostBatches: number[]
}

/** What was sent to one data source. */
export class Ledger {
  readonly sent: Map<number, SentBatch> = new Map()
  #next: number = 1

  begin(rows: number): SentBatch {
    const batch: SentBatch = { batch: this.#next++, rows, outcome: 'unknown' }
    this.sent.set(batch.batch, batch)
    return batch
  }

  get lastBatch(): number {
    return this.#next - 1
  }

  /** Compares what was sent, from a batch on, with what all engines together have. */
  audit(found: readonly FoundBatch[], from = 1): Audit {
    const there = new Map<number, { rows: number; distinct: number }>()
    for (const { batch, rows, distinct } of found) {
      const before = there.get(batch)
      // On two nodes: rows of a batch are counted together, and distinct ones as if they were others.
      there.set(batch, { rows: rows + (before?.rows ?? 0), distinct: distinct + (before?.distinct ?? 0) })
    }
    const audit: Audit = { ...NOTHING, lostBatches: [] }
    for (const { batch, rows, outcome } of this.sent.values()) {
      if (batch < from) continue
      const is = there.get(batch) ?? { rows: 0, distinct: 0 }
      there.delete(batch)
      audit.doubled += is.rows - Math.min(rows, is.distinct)
      if (outcome === 'acknowledged') {
        audit.acknowledged += rows
        audit.lost += Math.max(0, rows - is.distinct)
        if (is.distinct < rows) audit.lostBatches.push(batch)
      } else {
        if (is.distinct > 0 && is.distinct < rows) audit.inPart++
        if (outcome === 'refused') audit.refusedButThere += is.distinct
        else audit.unknownAndThere += is.distinct
      }
    }
    for (const { rows } of there.values()) audit.doubled += rows // nobody sent them
    return audit
  }
}

const NOTHING = { acknowledged: 0, lost: 0, doubled: 0, inPart: 0, refusedButThere: 0, unknownAndThere: 0 }

/** All of several data sources. */
export function sumOf(audits: readonly Audit[]): Audit {
  const sum: Audit = { ...NOTHING, lostBatches: [] }
  for (const audit of audits) {
    for (const name of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) sum[name] += audit[name]
    sum.lostBatches.push(...audit.lostBatches)
  }
  return sum
}

/** What of a table's rows is there, by batch; of batches from a number on. */
export const foundSql = (table: string, from: string): string =>
  `SELECT intDiv(id, ${MOST_ROWS}) AS batch, count() AS n, uniqExact(id) AS u ` +
  `FROM ${table} WHERE id >= ${from} * ${MOST_ROWS} GROUP BY batch ORDER BY batch`

/** Columns that ids, and what partitions are made of, are in. */
export const AUDITED_COLUMNS = [
  { name: 'id', type: 'UInt64' },
  { name: 'day', type: 'Date' },
  { name: 'text', type: 'String' },
] as const
