import type { NodeLimit } from '@sluice/client'

/** What is kept of a node's limit, second by second. */
export const FIGURES = [
  'limit',
  'throttle_ceiling',
  'latency_ceiling',
  'in_flight',
  'queued',
  'past_limit',
  'p90_ms',
  'smoothed_ms',
  'baseline_ms',
  'ratio',
  'throttles',
  'held',
] as const
export type Figure = (typeof FIGURES)[number]
export type Sample = Readonly<Record<Figure, number | null>>

/** Ten minutes. */
export const KEPT_SECONDS = 600

/**
 * The last ten minutes of one node, a sample a second, oldest first. Its arrays are made once and keep their length: a new
 * sample moves the others by one, and whoever draws reads them where they are. null: nothing was known in that second.
 */
export class History {
  /** In epoch seconds, one after another without a gap. */
  readonly times: number[]
  readonly figures: Readonly<Record<Figure, (number | null)[]>>

  /** @param second the last one before the first sample */
  constructor(second: number) {
    this.times = Array.from({ length: KEPT_SECONDS }, (_, index) => second - KEPT_SECONDS + 1 + index)
    const empty = (): (number | null)[] => Array.from({ length: KEPT_SECONDS }, () => null)
    // One entry for each name.
    this.figures = Object.fromEntries(FIGURES.map((figure) => [figure, empty()])) as Record<Figure, (number | null)[]>
  }

  /** The second of the latest sample. */
  get lastSecond(): number {
    return this.times[KEPT_SECONDS - 1] ?? 0
  }

  /** Takes the latest sample for that of another second, and so those before it: the clock has jumped. */
  endAt(second: number): void {
    for (let index = 0; index < KEPT_SECONDS; index++) this.times[index] = second - KEPT_SECONDS + 1 + index
  }

  /** Adds the next second. @param sample null: nothing is known */
  push(sample: Sample | null): void {
    const second = this.lastSecond + 1
    this.times.copyWithin(0, 1)
    this.times[KEPT_SECONDS - 1] = second
    for (const figure of FIGURES) {
      const values = this.figures[figure]
      values.copyWithin(0, 1)
      values[KEPT_SECONDS - 1] = sample === null ? null : sample[figure]
    }
  }
}

/** @param throttles how many there were in that second */
export function sampleOf(limit: NodeLimit, throttles: number): Sample {
  const { limit: inForce, throttle_ceiling, latency_ceiling, in_flight, queued, past_limit } = limit
  const { p90_ms, smoothed_ms, baseline_ms, ratio, hold_until } = limit
  const counts = { limit: inForce, throttle_ceiling, latency_ceiling, in_flight, queued, past_limit }
  return { ...counts, p90_ms, smoothed_ms, baseline_ms, ratio, throttles, held: hold_until === null ? 0 : 1 }
}
