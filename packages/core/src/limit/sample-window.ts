import { p90 } from './nearest-rank.js'

/** Samples kept exactly; of more, every second one, then every fourth, … (L3). */
const MOST = 10_000
const FIRST = 8 // engines keep so few beside the array itself
/** For all that have no sample: there may be many. */
const NONE: Float64Array<ArrayBuffer> = /* @__PURE__ */ new Float64Array(0)

/** The latencies of one window. Memory grows with what comes, up to 80 kB. */
export class SampleWindow {
  #values = NONE
  #kept = 0
  /** Of the samples that come, each so-many-th is kept. */
  #stride = 1
  /** Samples that came, kept or not. */
  count = 0
  #latencyMs = 0
  #inFlight = 0
  #known = 0
  #waitedMs = 0
  #timedOut = 0

  add(latencyMs: number, inFlight: number | null = null, waitedMs = 0, timedOut = false): void {
    if (timedOut) this.#timedOut++
    this.#latencyMs += latencyMs
    this.#waitedMs += Math.min(waitedMs, Number.MAX_SAFE_INTEGER)
    if (inFlight !== null && inFlight <= Number.MAX_SAFE_INTEGER) {
      this.#inFlight += inFlight
      this.#known++
    }
    if (this.count++ % this.#stride !== 0) return
    if (this.#kept === this.#values.length && !this.#makeRoom()) return
    this.#values[this.#kept++] = latencyMs
  }

  /** The window's p90 (L3). Call it once, on a window that has a sample, and then {@link clear}. */
  p90(): number {
    return p90(this.#values.subarray(0, this.#kept))
  }

  /** Mean in flight as samples saw it; where none did, what their latencies come to over the window (Little's law). */
  inFlight(windowMs: number): number {
    return this.#known > 0 ? this.#inFlight / this.#known : this.#latencyMs / windowMs
  }

  /** Share of the samples that timed out. */
  get timedOut(): number {
    return this.#timedOut / this.count
  }

  /** Mean wait of the samples. */
  get waitedMs(): number {
    return this.#waitedMs / this.count
  }

  clear(): void {
    this.#kept = this.count = this.#known = 0
    this.#latencyMs = this.#inFlight = this.#waitedMs = this.#timedOut = 0
    this.#stride = 1
  }

  /** @returns whether the sample that found no room is still among those to be kept */
  #makeRoom(): boolean {
    const full = this.#values
    if (full.length < MOST) {
      this.#values = new Float64Array(Math.min(MOST, Math.max(FIRST, full.length * 2)))
      this.#values.set(full)
      return true
    }
    for (let i = 0; i < MOST / 2; i++) full[i] = full[2 * i] ?? 0 // in range
    this.#kept = MOST / 2
    this.#stride *= 2
    return (this.count - 1) % this.#stride === 0
  }
}
