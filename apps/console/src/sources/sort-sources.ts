import type { DataSource, DataSourceStatus } from '@sluice/client'
import { type Condition, conditionOf, GRAVITY } from './in-words.js'

/** One line of the table. */
export interface SourceRow {
  readonly status: DataSourceStatus
  readonly condition: Condition
  /** Undefined: not asked for yet. */
  readonly details: DataSource | undefined
}

export type Order = 'trouble' | 'name' | 'behind' | 'backlog'

export function rowsOf(
  sources: readonly DataSourceStatus[],
  details: ReadonlyMap<string, DataSource>,
): readonly SourceRow[] {
  return sources.map((status) => {
    const its = details.get(status.name)
    return { status, condition: conditionOf(status, its), details: its }
  })
}

/** Names from a to z, all else with the worst first; what is not known is last. */
export function sorted(rows: readonly SourceRow[], order: Order): readonly SourceRow[] {
  const keys = KEYS[order]
  return [...rows].sort((one, other) => {
    for (const key of keys) {
      const difference = key(other) - key(one)
      if (difference !== 0) return difference
    }
    return one.status.name < other.status.name ? -1 : 1
  })
}

const grave = ({ condition }: SourceRow): number => -GRAVITY.indexOf(condition)
const behind = ({ details }: SourceRow): number => details?.freshness.lag_s ?? -1
const backlog = ({ details }: SourceRow): number => details?.backlog.rows ?? -1

const KEYS: Readonly<Record<Order, readonly ((row: SourceRow) => number)[]>> = {
  trouble: [grave, behind, backlog],
  name: [],
  behind: [behind, grave],
  backlog: [backlog, grave],
}
