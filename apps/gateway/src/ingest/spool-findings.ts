import { basename } from 'node:path'
import type { IngestPipeline } from '@sluice/ingest'
import type { Spool, SpoolDamage } from '@sluice/ingest/spool'
import type { Logger } from '../logger.js'
import type { BoardNotice } from '../notices/notice-board.js'

/** What an earlier process left, where it left something. */
export function logFound(
  { claims, findings, recordsKept: records }: Spool,
  { backlogs }: IngestPipeline,
  logger: Logger,
): void {
  const waiting = backlogs.list().filter(({ rows }) => rows > 0)
  const sum = (of: 'rows' | 'bytes') => waiting.reduce((all, it) => all + it[of], 0)
  const { tornBytes, damaged } = findings
  if (waiting.length === 0 && tornBytes === 0 && damaged.length === 0) return
  logger[damaged.length > 0 ? 'warn' : 'info']('found in the spool', {
    ...{ records, rows: sum('rows'), bytes: sum('bytes'), dataSources: waiting.length },
    // They may be written: their nodes are asked.
    blocksToLookUp: new Set(claims.flatMap(({ id, isDone }) => (isDone ? [] : [id]))).size,
    ...{ tornBytes, damagedStretches: damaged.length },
  })
}

/** What the disk turned out not to give back any more, while the gateway runs: each stretch by the name of its file. */
export function logDamage(damaged: readonly SpoolDamage[], logger: Logger): void {
  for (const { path, offset, bytes } of damaged)
    logger.error('damage found in the spool', { segment: basename(path), offset, bytes })
}

/** What was acknowledged may be lost: nobody can tell any more whose it was. */
export function spoolDamaged(damaged: readonly SpoolDamage[]): Omit<BoardNotice, 'number' | 'atMs'> {
  const bytes = damaged.reduce((sum, it) => sum + it.bytes, 0)
  const places = damaged.length === 1 ? 'in 1 place' : `in ${damaged.length} places`
  const message =
    `The disk gave back ${bytes} bytes of the spool ${places} as they were not written. Events of any data source that ` +
    'were in them are lost, unless they had been written to their node before. Check the disk.'
  return { level: 'error', kind: 'spool-damaged', source: null, message }
}
