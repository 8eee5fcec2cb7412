/** How much load there is, from a moment on. */
export interface LoadPoint {
  readonly atS: number
  /** Of the whole: of the rate, or of the users. */
  readonly factor: number
}

/** How a load changes over time. */
export interface LoadPlan {
  /** In order of time. Between two points the factor goes straight from one to the other, or stays until the next. */
  readonly points: readonly LoadPoint[]
  readonly between: 'steps' | 'lines'
  /** The plan begins anew after so long: a day, or on and off. Default: never. */
  readonly everyS?: number
}

/** The factor of a moment, in s. Asked with times that only grow. */
export function factorOf({ points, between, everyS }: LoadPlan): (s: number) => number {
  let segment = 0
  let beganS = 0
  return (s) => {
    while (everyS !== undefined && s - beganS >= everyS) {
      beganS += everyS
      segment = 0
    }
    const at = s - beganS
    while (segment + 1 < points.length && (points[segment + 1]?.atS ?? Number.POSITIVE_INFINITY) <= at) segment++
    const from = points[segment]
    const to = points[segment + 1]
    if (from === undefined || at < from.atS) return 0
    if (to === undefined || between === 'steps') return from.factor
    return from.factor + ((at - from.atS) / (to.atS - from.atS)) * (to.factor - from.factor)
  }
}
