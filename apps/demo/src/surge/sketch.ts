import type { Part } from './figures.js'

const BLOCKS = '▁▂▃▄▅▆▇█'
/** A column a second; of a longer act every so-many-th. */
const MOST_COLUMNS = 60

/** Which figures stand for the lowest and the highest block, for all pictures that are compared. */
export interface Scale {
  readonly limit: readonly [number, number]
  readonly p90: readonly [number, number]
}

/** What was seen second by second: the last of each second, or what was seen before where nothing changed. */
export function bySecond<T>(
  { sights, endMs }: Part,
  figure: (sight: Part['sights'][number]) => T | null,
): (T | null)[] {
  const seconds = Math.max(1, Math.floor(endMs / 1000))
  const values: (T | null)[] = []
  let next = 0
  let value: T | null = null
  for (let second = 1; second <= seconds; second++) {
    for (; next < sights.length; next++) {
      const sight = sights[next]
      if (sight === undefined || sight.atMs > second * 1000) break
      value = figure(sight)
    }
    values.push(value)
  }
  return values
}

/** Limit and p90 over the seconds of one part, and when the job ran. */
export function sketch(part: Part, scale: Scale): readonly string[] {
  const limit = bySecond(part, (sight) => sight.limit)
  const p90 = bySecond(part, (sight) => sight.p90_ms)
  const every = Math.ceil(limit.length / MOST_COLUMNS)
  const thin = <T>(values: readonly T[]): T[] => values.filter((_, index) => index % every === every - 1)
  const row = (
    name: string,
    values: readonly (number | null)[],
    [low, high]: readonly [number, number],
    unit: string,
  ) =>
    `${name.padEnd(6)} ${thin(values)
      .map((value) => block(value, low, high))
      .join('')}  ${rangeOf(values, unit)}`
  const job = limit.map((_, second) => {
    const endsMs = (second + 1) * 1000
    return endsMs > part.jobFromMs && endsMs - 1000 < part.jobFromMs + part.jobMs ? '━' : ' '
  })
  return [
    row('limit', limit, scale.limit, ''),
    row('p90', p90, scale.p90, ' ms'),
    `${'job'.padEnd(6)} ${thin(job).join('')}`.trimEnd(),
  ]
}

/** The least and the most of all parts. */
export function scaleOf(parts: readonly Part[], slots: number): Scale {
  const known = parts.flatMap((part) => bySecond(part, (sight) => sight.p90_ms)).filter((value) => value !== null)
  return { limit: [0, slots], p90: [0, Math.max(1, ...known)] }
}

function block(value: number | null, low: number, high: number): string {
  if (value === null) return ' '
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
  return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? ''
}

function rangeOf(values: readonly (number | null)[], unit: string): string {
  const known = values.filter((value) => value !== null).map(Math.round)
  if (known.length === 0) return 'unknown'
  const [least, most] = [Math.min(...known), Math.max(...known)]
  return `${least === most ? least : `${least} to ${most}`}${unit}`
}
