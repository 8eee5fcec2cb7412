import type { RouterSettings } from './options.js'

/** One node and how it fares (I6): in service, out for a while, or on probe. */
export class Node {
  readonly id: string
  readonly #settings: RouterSettings
  state: 'in_service' | 'ejected' | 'on_probe' = 'in_service'
  /** Data sources that are placed here. */
  sources = 0
  failuresInARow = 0
  /** How often it was ejected. */
  ejections = 0
  /** The end of its ejection; meant only while it is out. */
  untilMs = 0
  /** The last flushes since it came into service, in turn. */
  #tookMs: number[] = []
  #next = 0
  /** −Infinity: it had no slow start. */
  #slowSinceMs = Number.NEGATIVE_INFINITY
  #probeAtMs = 0

  constructor(id: string, settings: RouterSettings) {
    this.id = id
    this.#settings = settings
  }

  get isInService(): boolean {
    return this.state === 'in_service'
  }

  /** By nearest rank; null: too few flushes. */
  get p90Ms(): number | null {
    const count = this.#tookMs.length
    if (count < this.#settings.minFlushes) return null
    return [...this.#tookMs].sort((one, other) => one - other)[Math.ceil((9 * count) / 10) - 1] ?? null
  }

  /** What it takes of the data sources that belong to it: 1, but in slow start. */
  shareAt(nowMs: number): number {
    if (!this.isInService) return 0
    const { slowStartMs, slowStartShare } = this.#settings
    const past = nowMs - this.#slowSinceMs
    return past >= slowStartMs ? 1 : slowStartShare + (1 - slowStartShare) * (Math.max(0, past) / slowStartMs)
  }

  written(tookMs: number): void {
    this.failuresInARow = 0
    this.#tookMs[this.#next] = tookMs
    this.#next = (this.#next + 1) % this.#settings.windowFlushes
  }

  eject(nowMs: number): void {
    const { ejectionMs, maxEjectionMs } = this.#settings
    this.ejections++
    this.state = 'ejected'
    this.untilMs = nowMs + Math.min(maxEjectionMs, ejectionMs * this.ejections)
  }

  /** Whether its ejection is over and it can be tried. A probe that was lost is a failed one. */
  isDue(nowMs: number): boolean {
    if (this.state === 'on_probe' && nowMs - this.#probeAtMs > this.#settings.probeTimeoutMs) this.eject(nowMs)
    return this.state === 'ejected' && nowMs >= this.untilMs
  }

  beginProbe(nowMs: number): void {
    this.state = 'on_probe'
    this.#probeAtMs = nowMs
  }

  /** Into service, with a slow start; what it was is no longer held against it. */
  comeBack(nowMs: number): void {
    this.state = 'in_service'
    this.#slowSinceMs = nowMs
    this.failuresInARow = 0
    this.#tookMs = []
    this.#next = 0
  }
}
