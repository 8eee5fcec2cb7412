/** Where a figure stands in the picture. */
export type Scale = (value: number) => number

export const scaleOf =
  (from: number, to: number, start: number, end: number): Scale =>
  (value) =>
    Math.round((start + ((value - from) / (to - from || 1)) * (end - start)) * 10) / 10

/** Steps that people count in, up from 0 and beyond `most`: at most `count` of them. */
export function ticksTo(most: number, count: number): number[] {
  const rough = most / count || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [1, 2, 5, 10, 15, 30].flatMap((one) => [one * SECOND, one * MINUTE]).sort((a, b) => a - b)
const LONG_STEPS = [1, 2, 3, 6, 12].map((one) => one * HOUR).concat([1, 2, 7, 14, 28, 91, 364].map((one) => one * DAY))

/** Moments on the clock within a stretch of time, with what is written under them; in UTC. */
export function timeTicks(fromMs: number, toMs: number, count: number): { atMs: number; text: string }[] {
  const step = stepOf(toMs - fromMs, count)
  const first = Math.ceil(fromMs / step) * step
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, i) => {
    const atMs = first + i * step
    const [date = '', time = ''] = new Date(atMs).toISOString().split('T')
    const clock = time.slice(0, step < MINUTE ? 8 : 5)
    if (step >= DAY) return { atMs, text: date }
    return { atMs, text: time.startsWith('00:00:00') ? date.slice(5) : clock }
  })
}

/** Whole units since the beginning, with what is written under them: `0`, `15 min`, `2 h`. */
export function elapsedTicks(lengthMs: number, count: number): { atMs: number; text: string }[] {
  const step = stepOf(lengthMs, count)
  const [unit, unitMs] =
    step >= DAY ? ['d', DAY] : step >= HOUR ? ['h', HOUR] : step >= MINUTE ? ['min', MINUTE] : ['s', SECOND]
  return Array.from({ length: Math.floor(lengthMs / step + 1e-9) + 1 }, (_, i) => ({
    atMs: i * step,
    text: i === 0 ? '0' : `${Number(((i * step) / Number(unitMs)).toPrecision(6))} ${unit}`,
  }))
}

const stepOf = (lengthMs: number, count: number): number =>
  [...STEPS, ...LONG_STEPS].find((one) => lengthMs / one <= count) ?? lengthMs / count
