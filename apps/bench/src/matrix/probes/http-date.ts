const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The three forms of RFC 9110 §5.6.7, of an epoch in ms; parts of a second are cut off. */
export const imfFixdate = (epochMs: number): string => new Date(epochMs).toUTCString()

export function rfc850(epochMs: number): string {
  const date = new Date(epochMs)
  const [, day, month, year = '', time] = date.toUTCString().split(' ')
  return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`
}

export function asctime(epochMs: number): string {
  const [weekday = '', day, month, year, time] = new Date(epochMs).toUTCString().split(' ')
  return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
}

/** The next whole second that is at least `ms` away. */
export const wholeSecondAfter = (now: number, ms: number): number => Math.ceil((now + ms) / 1000) * 1000
