const TIME = '(\\d\\d):(\\d\\d):(\\d\\d)'
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'
const MONTH = `(${MONTHS.match(/.../g)?.join('|')})`
const form = (source: string): RegExp => new RegExp(`^[\\t ]*${source}[\\t ]*$`)

const IMF_FIXDATE = form(`${DAY}, (\\d\\d) ${MONTH} (\\d{4}) ${TIME} GMT`)
const RFC_850 = form(`(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-${MONTH}-(\\d\\d) ${TIME} GMT`)
const ASCTIME = form(`${DAY} ${MONTH} (\\d\\d| \\d) ${TIME} (\\d{4})`)

/**
 * Parses the three date forms of RFC 9110 §5.6.7, and nothing else (H1). `Date.parse` takes far more than these,
 * and differently from one engine to the next.
 *
 * @param text the header's value
 * @param referenceMs epoch ms that decides the century of a two-digit year (H3)
 * @returns epoch ms, or undefined where the text is no such date
 */
export function parseHttpDate(text: string, referenceMs: number): number | undefined {
  let [, day, month, year, hour, minute, second] = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? []
  if (!day) [, month, day, hour, minute, second, year] = ASCTIME.exec(text) ?? []
  if (!day || !month || !year || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return

  const monthIndex = MONTHS.indexOf(month) / 3
  // Not Date.UTC: it takes the year 50 for 1950.
  const midnight = (fullYear: number): Date => new Date(new Date(0).setUTCFullYear(fullYear, monthIndex, Number(day)))
  const inYear = (fullYear: number): number =>
    midnight(fullYear).setUTCHours(Number(hour), Number(minute), Number(second))

  let fullYear = Number(year)
  if (year.length === 2) {
    // H3: the latest year with these digits that is not more than 50 years ahead of the reference.
    const reference = new Date(referenceMs)
    fullYear += 100 * Math.floor(reference.getUTCFullYear() / 100) + 100
    const latest = reference.setUTCFullYear(reference.getUTCFullYear() + 50)
    while (inYear(fullYear) > latest) fullYear -= 100
  }
  // 31 November is no day: the month would have rolled over.
  return midnight(fullYear).getUTCDate() === Number(day) ? inYear(fullYear) : undefined
}
