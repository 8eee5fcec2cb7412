import type { ReplayPoint, ReplayWindow } from './replay-result.js'

/** What a point is made of: sums, so that two can be merged. */
interface Part {
  /** Its place on the grid of points. */
  place: number
  windows: number
  counted: number
  p90Sum: number
  p90Most: number
  baselineMs: number | null
  limitSum: number
  lowestLimit: number
}

/** Windows for a picture, in bounded memory: where there are too many points, neighbours become one. */
export class WindowSeries {
  readonly #most: number
  #parts: Part[] = []
  /** Places on the grid of windows that one point stands for. */
  windowsPerPoint = 1

  /** @param most points at most; at least 2 */
  constructor(most: number) {
    this.#most = most
  }

  add({ index, p90Ms, baselineMs, limit }: ReplayWindow): void {
    this.#take({
      place: Math.floor(index / this.windowsPerPoint),
      ...{ windows: 1, counted: p90Ms === null ? 0 : 1, p90Sum: p90Ms ?? 0, p90Most: p90Ms ?? 0 },
      ...{ baselineMs, limitSum: limit, lowestLimit: limit },
    })
    while (this.#parts.length > this.#most) {
      this.windowsPerPoint *= 2
      const parts = this.#parts
      this.#parts = []
      for (const part of parts) this.#take({ ...part, place: Math.floor(part.place / 2) })
    }
  }

  points(originMs: number, windowMs: number): ReplayPoint[] {
    const lengthMs = windowMs * this.windowsPerPoint
    return this.#parts.map(({ place, windows, counted, p90Sum, p90Most, baselineMs, limitSum, lowestLimit }) => ({
      fromMs: originMs + place * lengthMs,
      toMs: originMs + (place + 1) * lengthMs,
      windows,
      p90Ms: counted === 0 ? null : p90Sum / counted,
      highestP90Ms: counted === 0 ? null : p90Most,
      ...{ baselineMs, limit: limitSum / windows, lowestLimit },
    }))
  }

  #take(part: Part): void {
    const last = this.#parts.at(-1)
    if (last?.place !== part.place) {
      this.#parts.push(part)
      return
    }
    last.windows += part.windows
    last.counted += part.counted
    last.p90Sum += part.p90Sum
    last.p90Most = Math.max(last.p90Most, part.p90Most)
    last.baselineMs = part.baselineMs
    last.limitSum += part.limitSum
    last.lowestLimit = Math.min(last.lowestLimit, part.lowestLimit)
  }
}
