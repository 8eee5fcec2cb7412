/** As nearly all are sent, and kept. */
const PLAIN = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/
const FORM = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** What DateTime can hold, and Date: whole seconds, and days, in 32 and 16 bits. */
const [FIRST_TIME, LAST_TIME] = ['1970-01-01T00:00:00Z', '2106-02-07T06:28:15Z']
const LAST_DAY = '2149-06-06'
/** Also that of a row without its column, which has the type's zero. */
export const FIRST_DAY = '1970-01-01'

/**
 * A moment as it is kept, `2026-01-01T12:00:00Z`: in UTC and whole seconds.
 * @returns undefined where it is no moment, or one that DateTime cannot hold (1970 to 2106)
 */
export function momentOf(text: string): string | undefined {
  const moment = PLAIN.test(text) && isDay(text.slice(0, 10)) ? text : inUtc(text)
  return moment !== undefined && moment >= FIRST_TIME && moment <= LAST_TIME ? moment : undefined
}

/** A day as it is kept, `2026-01-01`; undefined: it is none, or one that Date cannot hold (1970 to 2149). */
export function dayOf(text: string): string | undefined {
  return DAY.test(text) && isDay(text) && text >= FIRST_DAY && text <= LAST_DAY ? text : undefined
}

/** What the engine calls the partition of a day or a moment; without partitions there is one. */
export function partitionOf(text: string, by: 'day' | 'month' | 'year' | undefined): string {
  if (by === undefined) return 'all'
  const year = text.slice(0, 4)
  if (by === 'year') return year
  const month = year + text.slice(5, 7)
  return by === 'month' ? month : month + text.slice(8, 10)
}

function inUtc(text: string): string | undefined {
  const [, day] = FORM.exec(text) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const ms = Date.parse(text)
  // Of a year before 0 or after 9999 it has a sign, and is out of bounds anyhow.
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** Days that were looked at: rows that come together are mostly of few. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 1000

/** 2026-02-30 is none, though `Date.parse` takes it for the second of March. */
function isDay(text: string): boolean {
  const before = known.get(text)
  if (before !== undefined) return before
  const ms = Date.parse(`${text}T00:00:00Z`)
  const is = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, is)
  return is
}
