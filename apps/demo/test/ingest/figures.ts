import type { Notice } from '@sluice/client'
import type { IngestFigures } from '../../src/ingest/figures.js'

export const notice = (kind: string, data_source: string | null = 'runaway'): Notice => ({
  ...{ id: 'n-00000001', at: '2026-01-01T12:00:00.000Z', kind, data_source },
  level: kind === 'flowing' ? 'info' : 'warning',
  message: `${kind} of ${data_source}.`,
})

/** An act in which all went as it should: 100 requests of the others in each part, that took 10, 20 … 1000 ms. */
export const figures = (changes: Partial<IngestFigures> = {}): IngestFigures => ({
  flushMs: 1000,
  moments: { runawayMs: 5000, openedMs: 11_000, stoppedMs: 15_000, recoveredMs: 25_000 },
  others: [0, 5000, 15_000].flatMap((fromMs) =>
    Array.from({ length: 100 }, (_, n) => ({ atMs: fromMs + 40 * n, rows: 13, tookMs: 10 * (n + 1) })),
  ),
  runaway: [{ atMs: 5000, rows: 10_000, tookMs: 5 }],
  sights: [{ atMs: 11_000, state: 'delayed', rows: 9000, oldestMs: 5100 }],
  notices: [notice('delayed'), notice('flowing')],
  countedOthers: { sent: 20_000, rows: 20_000, events: 20_000 },
  countedRunaway: { sent: 10_000, rows: 10_000, events: 10_000 },
  ...changes,
})
