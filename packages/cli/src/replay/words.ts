import type { ReplaySummary } from '@sluice/core/replay'

/** `2026-01-31T12:00:10Z`, with ms where there are any. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** `0.32ms`, `120ms`, `12.5s`: three digits that say something. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '-'
  const [figure, unit] = ms < 10_000 ? [ms, 'ms'] : [ms / 1000, 's']
  return `${figure >= 100 ? Math.round(figure) : Number(figure.toPrecision(3))}${unit}`
}

/** `10s`, `1m`, `500ms`: as it is written on the command line. */
export function windowText(ms: number): string {
  for (const [unit, length] of [['h', 3_600_000], ['m', 60_000], ['s', 1000]] as const) // biome-ignore format: a table
    if (ms >= length && ms % length === 0) return `${ms / length}${unit}`
  return `${ms}ms`
}

/** `12.5 %`. What is not nothing is not shown as nothing. */
export function shareText(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`
}

export const attemptsOf = ({ samples, throttles, failures }: ReplaySummary): number => samples + throttles + failures

/** `1 window`, `2 windows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
