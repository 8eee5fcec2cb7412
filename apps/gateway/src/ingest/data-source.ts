import { Quota } from '@sluice/ingest'
import type { TableDefinition } from '../nodes/store-node.js'
import type { Definition } from './definition.js'
import type { Freshness } from './freshness.js'
import { RowChecker } from './rows/row-checker.js'
import { type Namespace, sourceKey } from './source-key.js'

/** Rows that a data source takes at once: those of ten seconds, within these. */
const [LEAST_ROWS, MOST_ROWS, SECONDS] = [1000, 200_000, 10]

/** One data source as it is defined now, with what its plan allows. Another definition makes another of these. */
export class DataSource {
  /** `tenant/dataset/name`. */
  readonly key: string
  /** Epoch milliseconds. */
  readonly checker: RowChecker
  /** Requests of each token. */
  readonly requests: Quota
  /** Rows of all tokens together. */
  readonly rows: Quota
  /** A request with more rows can never be taken. */
  readonly maxRows: number

  constructor(
    readonly namespace: Namespace,
    readonly name: string,
    readonly definition: Definition,
    readonly createdAtMs: number,
    readonly freshness: Freshness,
    nowMs: () => number,
  ) {
    this.key = sourceKey(namespace, name)
    this.checker = new RowChecker(name, definition)
    const { requests_per_second, burst, rows_per_second } = definition.plan
    const clock = { now: nowMs }
    this.maxRows = Math.ceil(Math.min(MOST_ROWS, Math.max(LEAST_ROWS, SECONDS * rows_per_second)))
    this.requests = new Quota({ ratePerSecond: requests_per_second, burst, clock })
    this.rows = new Quota({ ratePerSecond: rows_per_second, burst: this.maxRows, clock })
  }

  /** As nodes are told it. */
  get table(): TableDefinition {
    const { columns, partition, order_by } = this.definition
    return {
      source: this.key,
      columns: columns.map(({ name, type, nullable = false }) => ({ name, type, nullable })),
      ...(partition !== undefined && { partition }),
      orderBy: order_by,
    }
  }

  /** What may wait of it, by its plan (I5). */
  get bounds(): { readonly maxSourceBytes: number; readonly maxSourceAgeMs: number } {
    const { backlog_max_bytes, backlog_max_age_s } = this.definition.plan
    return { maxSourceBytes: backlog_max_bytes, maxSourceAgeMs: backlog_max_age_s * 1000 }
  }
}
