import type { Notice } from '@sluice/client'
import type { Sight } from './lookout.js'
import type { Sent } from './sender.js'

/** What was sent, and what the engine has of it. */
export interface Counted {
  readonly sent: number
  /** Rows in the engine. */
  readonly rows: number
  /** Different events among them: as many, where none is there twice. */
  readonly events: number
}

/** When what happened, in ms since the act began. Null: it did not. */
export interface Moments {
  readonly runawayMs: number
  /** The runaway's breaker opened. */
  readonly openedMs: number | null
  readonly stoppedMs: number
  /** Nothing of it waited any more, and it flowed. */
  readonly recoveredMs: number | null
}

/** How the act went. */
export interface IngestFigures {
  readonly flushMs: number
  readonly moments: Moments
  /** Of the other data sources; with `atMs` since the act began. */
  readonly others: readonly Sent[]
  /** Of the runaway, since it ran away. */
  readonly runaway: readonly Sent[]
  /** Of the runaway, while the act lasted; with `atMs` since it began. */
  readonly sights: readonly Sight[]
  readonly notices: readonly Notice[]
  readonly countedOthers: Counted
  readonly countedRunaway: Counted
}

/** How soon rows were there to be seen. */
export interface Freshness {
  readonly rowsPerSecond: number
  readonly halfMs: number
  readonly nineOfTenMs: number
  readonly p99Ms: number
}

export type Phase = 'before' | 'beside' | 'after'

/** From sending rows to their being seen, of what the others sent in a part of the act. Null: they sent nothing then. */
export function freshnessIn({ others, moments }: IngestFigures, phase: Phase): Freshness | null {
  const { runawayMs, stoppedMs, recoveredMs } = moments
  const lastMs = Math.max(...others.map(({ atMs }) => atMs))
  const [fromMs, toMs] = {
    before: [0, runawayMs],
    beside: [runawayMs, stoppedMs],
    after: [stoppedMs, Math.min(recoveredMs ?? lastMs, lastMs)],
  }[phase] as [number, number]
  const sent = others.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  if (sent.length === 0) return null
  const took = sent.map(({ tookMs }) => tookMs).sort((one, other) => one - other)
  const share = (part: number): number => took[Math.min(took.length - 1, Math.ceil(part * took.length) - 1)] ?? 0
  const rows = sent.reduce((sum, it) => sum + it.rows, 0)
  return {
    rowsPerSecond: (rows * 1000) / (toMs - fromMs),
    halfMs: share(0.5),
    nineOfTenMs: share(0.9),
    p99Ms: share(0.99),
  }
}

/** Rows a second that the runaway sent. */
export function runawayRate({ runaway, moments }: IngestFigures): number {
  const rows = runaway.reduce((sum, it) => sum + it.rows, 0)
  return (rows * 1000) / (moments.stoppedMs - moments.runawayMs)
}

/** The notices of the runaway, in the order in which they were written. */
export const noticesOf = ({ notices }: IngestFigures, source: string): readonly Notice[] =>
  notices.filter(({ data_source }) => data_source === source)
