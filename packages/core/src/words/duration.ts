/**
 * A time as S1 writes it: below a second in ms, else in seconds with at most one decimal, rounded up so that nobody is
 * told to come back too early. `0s`, `750ms`, `5s`, `1.5s`, `90s`.
 *
 * @param ms whole milliseconds, at least 0
 */
export function duration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.ceil(ms)}ms`
  return `${Math.ceil(ms / 100) / 10}s`
}
