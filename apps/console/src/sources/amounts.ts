const SPANS = [
  [86_400, 'days'],
  [3600, 'h'],
  [60, 'min'],
] as const

/** `0.4 s`, `12 s`, `3 min`, `5 h`, `2 days`; of a moment that is yet to come `0 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  for (const [length, unit] of SPANS) if (seconds >= 2 * length) return `${Math.floor(seconds / length)} ${unit}`
  return seconds > 0 && seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds)} s`
}

/** Whole seconds, for what is told as it goes on. */
export const elapsed = (ms: number): string => duration(Math.floor(Math.max(0, ms) / 1000) * 1000).replace('.0', '')

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `812 B`, `3.1 MB`. */
export function bytes(count: number): string {
  const power = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

/** `12 004`, with a space that does not break. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f')
