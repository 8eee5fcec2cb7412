import type { ReplayOptions } from './command.js'

/** What a line holds, and by which option its column is named. */
export const COLUMNS = {
  time: { option: '--time-column', key: 'timeColumn' },
  latency: { option: '--latency-column', key: 'latencyColumn' },
  status: { option: '--status-column', key: 'statusColumn' },
  count: { option: '--count-column', key: 'countColumn' },
  period: { option: '--period-column', key: 'periodColumn' },
  timeout: { option: '--timeout-column', key: 'timeoutColumn' },
  retryAfter: { option: '--retry-after-column', key: 'retryAfterColumn' },
  inFlight: { option: '--in-flight-column', key: 'inFlightColumn' },
  waited: { option: '--waited-column', key: 'waitedColumn' },
} as const

export type ColumnName = keyof typeof COLUMNS

/** Tried in this order where none is named; without regard to case. */
const DEFAULTS: Readonly<Record<ColumnName, readonly string[]>> = {
  time: ['time', 'timestamp', 'ts', '@timestamp', 'completed_at', 'ended_at', 'end_time', 'at', 'date'],
  latency: [
    ...['latency_ms', 'latency', 'duration_ms', 'duration', 'elapsed_ms', 'elapsed', 'response_time', 'request_time'],
    ...['latency_s', 'duration_s', 'latency_us', 'duration_us', 'latency_ns', 'duration_ns'],
  ],
  status: ['status', 'status_code'],
  count: ['count'],
  period: ['period'],
  timeout: ['timeout', 'timed_out'],
  retryAfter: ['retry_after_ms', 'retry_after_s'],
  inFlight: ['in_flight'],
  waited: ['waited_ms', 'waited_s'],
}

const OPTIONAL = ['status', 'count', 'period', 'timeout', 'retryAfter', 'inFlight', 'waited'] as const

/** Which column is which; one that is not there is absent. */
export type Columns = Readonly<Partial<Record<ColumnName, string>> & { time: string; latency: string }>

/** A file whose columns do not fit. */
export class ColumnError extends Error {
  constructor(
    readonly option: string,
    /** What was asked for; null: nothing was, and none of the usual ones is there. */
    readonly wanted: string | null,
    readonly present: readonly string[],
    /** Those that it may be, where it is not clear which one. */
    readonly several: readonly string[] = [],
  ) {
    super(option)
    this.name = 'ColumnError'
  }
}

/**
 * Finds the columns among those that there are.
 * @param open the lines to come may have more of them, as in NDJSON
 * @throws ColumnError where one that is needed, or was asked for, is not there, or there twice
 */
export function columnsOf(present: readonly string[], options: ReplayOptions, open = false): Columns {
  const find = (name: ColumnName): string | undefined => {
    const { option, key } = COLUMNS[name]
    const wanted = options[key]
    const mayCome = open && name !== 'time' && name !== 'latency'
    if (wanted !== undefined && !mayCome && !present.includes(wanted)) throw new ColumnError(option, wanted, present)
    const theOnly = (fits: (one: string) => boolean): string | undefined => {
      const several = present.filter(fits)
      if (several.length > 1) throw new ColumnError(option, wanted ?? null, present, several)
      return several[0]
    }
    if (wanted !== undefined) return theOnly((one) => one === wanted) ?? wanted
    for (const usual of DEFAULTS[name]) {
      const found = theOnly((one) => one.toLowerCase() === usual)
      if (found !== undefined) return found
    }
    return mayCome ? DEFAULTS[name][0] : undefined
  }
  const needed = (name: 'time' | 'latency'): string => {
    const found = find(name)
    if (found === undefined) throw new ColumnError(COLUMNS[name].option, null, present)
    return found
  }
  const optional = Object.fromEntries(
    OPTIONAL.flatMap((name) => {
      const found = find(name)
      return found === undefined ? [] : [[name, found]]
    }),
  )
  return { time: needed('time'), latency: needed('latency'), ...optional }
}
