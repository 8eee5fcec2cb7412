import type { ReplaySummary } from '@sluice/core/replay'

/** `2026-01-31T12:00:10Z`, with ms where there are any. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** `10s`, `1m`, `500ms`: as it is written on the command line. */
export function windowText(ms: number): string {
  for (const [unit, length] of [['h', 3_600_000], ['m', 60_000], ['s', 1000]] as const) // biome-ignore format: a table
    if (ms >= length && ms % length === 0) return `${ms / length}${unit}`
  return `${ms}ms`
}

export const attemptsOf = ({ samples, throttles, failures }: ReplaySummary): number => samples + throttles + failures
