import { snake } from '@sluice/core/words'
import type { Interval, ScoredTarget, Target } from '@sluice/simulator'
import { latencyText, shareText } from '../output/figures.js'
import { NO_LIMIT } from './no-limit.js'

/** A statistic's value, in the unit that its name says: `120ms`, `99.0 %`, `1.24`. */
export function valueText(statistic: string, value: number): string {
  if (Number.isNaN(value)) return '-'
  if (statistic.endsWith('Limit') && value >= NO_LIMIT) return 'none'
  if (statistic.endsWith('Ms')) return latencyText(value)
  if (statistic.endsWith('Share')) return shareText(value)
  if (/[a-z]S$/.test(statistic)) return `${Number(value.toPrecision(3))}s`
  return `${Number(value.toPrecision(3))}`
}

/** `1.24 ± 0.02`. */
export function intervalText(statistic: string, { mean, half }: Interval): string {
  const text = valueText(statistic, mean)
  return half === null || Number.isNaN(half) ? text : `${text} ± ${valueText(statistic, half)}`
}

/** `surge batch_slowdown ≤ 1.2`, in the words of a scenario's file. */
export function targetText({ phase, statistic, min, max }: Target): string {
  const bounds = [
    ...(min === undefined ? [] : [`≥ ${valueText(statistic, min)}`]),
    ...(max === undefined ? [] : [`≤ ${valueText(statistic, max)}`]),
  ]
  return `${phase} ${snake(statistic)} ${bounds.join(' and ')}`
}

/** `1.24 ± 0.02 ✗`. */
export const reachedText = ({ target, value, met }: ScoredTarget): string =>
  `${intervalText(target.statistic, value)} ${met ? '✓' : '✗'}`

/** Of a score or a difference of two: two digits, `0.98 ± 0.01`. */
export function scoreText({ mean, half }: Interval, sign = false): string {
  const text = `${sign && mean > 0 ? '+' : ''}${mean.toFixed(2)}`
  return half === null ? text : `${text} ± ${half.toFixed(2)}`
}

/** `seed 1001`, `seeds 1001 to 1020`. */
export const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`

/** `11 h`, `15 min`. */
export function lengthText(seconds: number): string {
  for (const [unit, length] of [['d', 86_400], ['h', 3600], ['min', 60]] as const) // biome-ignore format: a table
    if (seconds >= length) return `${Number((seconds / length).toPrecision(3))} ${unit}`
  return `${seconds} s`
}
