import type { SourceState } from '@sluice/ingest'
import type { Body } from '../server/contract.js'
import type { DataSource } from './data-source.js'
import type { Ingest } from './ingest.js'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/** In the words of the API. One whose breaker has given up delaying it is written as it comes. */
export function stateOf(ingest: Ingest, source: DataSource): Pick<Body['DataSourceStatus'], 'state' | 'state_since'> {
  const { state, sinceMs } = ingest.stateOf(source)
  return { state: inWords(state), state_since: iso(sinceMs) }
}

function inWords(state: SourceState): Body['DataSourceState'] {
  return state === 'delay-does-not-help' ? 'flowing' : state
}

/** Everything of a data source that its owners may read. */
export async function describeSource(ingest: Ingest, source: DataSource): Promise<Body['DataSource']> {
  const { name, namespace, definition } = source
  const { description, columns, partition, order_by, plan } = definition
  const backlog = describeBacklog(ingest, source)
  const { newestMs, writtenMs } = source.freshness.read(backlog.rows > 0)
  const lagMs = newestMs === null || writtenMs === null ? null : Math.max(0, newestMs - writtenMs)
  return {
    ...{ name, dataset: namespace.dataset, description, columns: columns.map(describeColumn) },
    ...(partition !== undefined && { partition }),
    ...{ order_by, plan, node: ingest.nodeOf(source), route: ingest.routeOf(source), ...stateOf(ingest, source) },
    limited_until: isoOrNull(ingest.stateOf(source).limitedUntilMs),
    freshness: {
      newest_event_at: isoOrNull(newestMs),
      written_at: isoOrNull(writtenMs),
      lag_s: lagMs === null ? null : lagMs / 1000,
    },
    backlog,
    quarantined_rows: await ingest.quarantine.count(source.key),
  }
}

/** What of a data source is accepted and not written. What is written stays on disk for a moment, and is none of it. */
export function describeBacklog(ingest: Ingest, { key }: DataSource): Body['Backlog'] {
  const { isPaused: paused, rows, bytes, oldestAtMs, ...its } = ingest.pipeline.backlogs.read(key)
  const waiting = rows === 0 ? { bytes: 0, oldest_at: null } : { bytes, oldest_at: isoOrNull(oldestAtMs) }
  return { paused, rows, ...waiting, blocks_under_way: its.blocksUnderWay, unknown_blocks: its.unknownBlocks }
}

function describeColumn({
  name,
  type,
  nullable,
  description,
}: DataSource['definition']['columns'][number]): Body['Column'] {
  return {
    ...{ name, type, nullable: nullable ?? false },
    ...(description !== undefined && { description }),
  }
}
