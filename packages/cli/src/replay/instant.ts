import type { Unit } from './command.js'

const IN_MS: Readonly<Record<Unit, number>> = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 }

/** Where no zone is written it is UTC, so that a trace means the same on every machine. */
const ISO = /^(\d{4}-\d\d-(\d\d))(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

const FIRST_MS = Date.parse('0000-01-01T00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether it is in the years that ISO 8601 can write; a window's length beyond them there are moments still. */
export const isMoment = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS

/** Seconds and milliseconds since the epoch differ by a thousand, and no trace is from before 1973 or after 5000. */
export function unitOfTime(figure: number): Unit {
  const size = Math.abs(figure)
  if (size < 1e11) return 's'
  if (size < 1e14) return 'ms'
  return size < 1e17 ? 'us' : 'ns'
}

/** To a thousandth: so that 1.1 s are 1100 ms, and a whole millisecond is whole. */
export const inMs = (figure: number, unit: Unit): number =>
  unit === 'ms' ? figure : Math.round(figure * IN_MS[unit] * 1000) / 1000

/** A number, or text that is one; else NaN. */
export function figureOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^[+-]?(\d|\.\d)[^xob]*$/i.test(value) ? Number(value) : Number.NaN
}

/** @returns epoch ms, or NaN where the text is no ISO 8601 time */
export function isoMs(value: unknown): number {
  const [, date = '', day = '', time = '00:00', zone = 'Z'] = (typeof value === 'string' && ISO.exec(value)) || []
  if (!isDay(date, Number(day))) return Number.NaN
  const offset = zone.length === 3 ? `${zone}:00` : zone.toUpperCase()
  return Date.parse(`${date}T${time.replace(',', '.')}${offset}`)
}

/** Date makes 2 March of 30 February. */
const isDay = (date: string, day: number): boolean => (day <= 28 ? date !== '' : new Date(date).getUTCDate() === day)

/** A moment as a person writes it. @returns epoch ms, or NaN */
export function momentOf(text: string, unit: Unit | null): number {
  const figure = figureOf(text)
  const ms = Number.isNaN(figure) ? isoMs(text) : inMs(figure, unit ?? unitOfTime(figure))
  return isMoment(ms) ? ms : Number.NaN
}
