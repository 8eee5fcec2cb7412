import type { DriverActual } from '../driver/protocol.js'
import type { Comparison } from '../run/mismatch.js'
import type { Call } from '../subject.js'
import type { CallScenario } from '../table/table.js'
import type { Arrival } from './arrival.js'

export interface Leeway {
  /** How much later than its wait says a request may arrive. */
  toleranceMs: number
  /** How much earlier: what a clock that counts whole milliseconds may be off. */
  granularityMs: number
}

/** The completed waits as they were seen: from the end of one request to the next. */
export function waitsOf(arrivals: readonly Arrival[]): number[] {
  return arrivals.slice(1).map((arrival, i) => {
    const before = arrivals[i]
    return arrival.atMs - (before?.answeredAtMs ?? before?.leftAtMs ?? Number.NaN)
  })
}

/** Compares what arrived, and when, with what a row states. */
export function judgeArrivals(
  compare: Comparison,
  row: CallScenario,
  request: Pick<Call['request'], 'method' | 'headers'>,
  arrivals: readonly Arrival[],
  { toleranceMs, granularityMs }: Leeway,
): void {
  const { expect } = row
  compare.stated('sends', expect.sends, arrivals.length)
  for (const [i, arrival] of arrivals.entries()) {
    const at = `send ${i + 1}`
    compare.equal(`${at} method`, request.method, arrival.method)
    for (const [name, value] of Object.entries(request.headers)) {
      compare.equal(`${at} header ${name}`, value.trim(), arrival.headers[name.toLowerCase()])
    }
    // R13: what is sent again is what was sent first.
    if (i > 0) compare.equal(`${at} body`, arrivals[0]?.body, arrival.body)
  }
  const waits = waitsOf(arrivals)
  for (const [i, expected] of (expect.waits_ms ?? []).entries()) {
    const [min, max] = typeof expected === 'number' ? [expected, expected] : expected
    const wait = waits[i]
    // R6: too early is wrong by any amount; too late only by more than machines and networks are late.
    if (wait === undefined) continue // one send too few, as told above
    if (!(wait >= min - granularityMs && wait <= max + toleranceMs)) {
      compare.fail(`wait ${i + 1}`, `${min} to ${max + toleranceMs}`, Math.round(wait * 10) / 10)
    }
  }
}

/** Compares what the driver tells of the call's end; what it leaves out is not compared. */
export function judgeTold(compare: Comparison, { expect }: CallScenario, actual: DriverActual): void {
  const told = (field: 'outcome' | 'status' | 'failure' | 'reason' | 'retry_after_ms'): void => {
    if (actual[field] !== undefined) compare.stated(field, expect[field], actual[field])
  }
  told('outcome')
  told('status')
  told('failure')
  told('reason')
  told('retry_after_ms')
}
