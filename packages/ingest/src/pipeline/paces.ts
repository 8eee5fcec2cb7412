/** How soon a data source gives a node's slot back: within half of its flush interval, later, or nobody knows yet. */
export type Pace = 'quick' | 'unknown' | 'slow'

/** Of so many data sources it is remembered; of the others nobody knows again. */
const MAX_SOURCES = 100_000

/** How long the last insert of each data source took, or what is known of an earlier process: its next one is expected to take as long (I8). */
export class Paces {
  readonly #flushIntervalMs: (source: string) => number
  readonly #baselineMs: (source: string) => number | null
  /** The one that was written longest ago first. */
  readonly #lastMs = new Map<string, number>()

  /**
   * @param flushIntervalMs of all, or of each
   * @param baselineMs how long its inserts ordinarily took; null: nobody knows
   */
  constructor(
    flushIntervalMs: number | ((source: string) => number) | undefined,
    baselineMs: (source: string) => number | null,
  ) {
    this.#baselineMs = baselineMs
    this.#flushIntervalMs = typeof flushIntervalMs === 'function' ? flushIntervalMs : () => flushIntervalMs ?? 1000
  }

  /** Its insert ended, or was given up, after so long. */
  took(source: string, ms: number): void {
    this.#lastMs.delete(source)
    this.#lastMs.set(source, ms)
    if (this.#lastMs.size <= MAX_SOURCES) return
    const [oldest] = this.#lastMs.keys()
    if (oldest !== undefined) this.#lastMs.delete(oldest)
  }

  of(source: string): Pace {
    const ms = this.#lastMs.get(source) ?? this.#baselineMs(source)
    if (ms === null) return 'unknown'
    return ms <= this.#flushIntervalMs(source) / 2 ? 'quick' : 'slow'
  }
}

/** Of so many slots of a node those that are slow may have half, and all but one together with those of which nobody knows. */
export function mayTakeSlot(pace: Pace, held: Readonly<Record<Pace, number>>, slots: number): boolean {
  const { quick, unknown, slow } = held
  if (quick + unknown + slow >= slots) return false
  if (pace === 'slow' && slow >= Math.max(1, Math.floor(slots / 2))) return false
  return pace === 'quick' || unknown + slow < Math.max(1, slots - 1)
}
