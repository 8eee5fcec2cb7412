import { limitOptions, priorOf } from '@sluice/core'
import { camel, snake } from '@sluice/core/words'
import { UsageError } from '../usage-error.js'
import { isMoment } from './instant.js'
import { refusalWords } from './refusal-words.js'
import { type Fields, SETTINGS } from './settings.js'

/** What the first line of a recorded trace says of the limiter that it was recorded of. */
export interface RecordedLimiter {
  /** When it was made, as epoch ms: its windows begin there (L3). */
  readonly createdAtMs: number
  /** Its thresholds, by the names of its options. */
  readonly fields: Fields
  /** Whether its limit was in force: no kill switch and no shadow mode (L14). */
  readonly enforced: boolean
}

const VERSION = 1
const SWITCHES = ['latencyControl', 'shadow']
const KNOWN = ['version', 'createdAtMs', ...SETTINGS.map(({ field }) => field), 'shedding', ...SWITCHES]

/** @returns the value of `trace`, where a line is the first line of a recorded trace and nothing else */
export function traceOf(line: Readonly<Record<string, unknown>>): object | null {
  const { trace, ...rest } = line
  return typeof trace === 'object' && trace !== null && Object.keys(rest).length === 0 ? trace : null
}

/**
 * Reads it: `{"version": 1, "created_at_ms": …, "window_ms": …, …}`. A field that is null or left out has its default.
 * @param at where it stands, for messages
 * @throws UsageError that names the field, the value and what is allowed
 */
export function readRecordedLimiter(trace: object, at: string): RecordedLimiter {
  const values = Object.entries(trace).map(([name, value]) => [camel(name), value] as const)
  const { version, createdAtMs, ...rest } = Object.fromEntries(values) as Record<string, unknown>
  const wrong = (field: string, must: string, value: unknown): UsageError =>
    new UsageError(`${at}: trace.${snake(field)} must be ${must}; got ${JSON.stringify(value) ?? 'nothing'}`)
  if (version !== VERSION)
    throw wrong('version', `${VERSION}, the only one that this sluice reads (is there a newer sluice?)`, version)
  if (typeof createdAtMs !== 'number' || !isMoment(createdAtMs))
    throw wrong('createdAtMs', 'a number of ms since the epoch', createdAtMs)
  const given = Object.entries(rest).filter(([, value]) => value !== null)
  for (const [name, value] of given)
    if (!KNOWN.includes(name)) throw wrong(name, `left out: there are ${KNOWN.map(snake).join(', ')}`, value)
  const { latencyControl = true, shadow = false, expectedP90Ms, ...limit } = Object.fromEntries(given)
  try {
    limitOptions({ ...limit, latencyControl, shadow } as object)
    priorOf({ expectedP90Ms } as object, 0)
  } catch (error) {
    const { message } = error as TypeError // all that the two throw
    throw new UsageError(`${at}: ${refusalWords(message, (field) => `trace.${snake(field)}`)}`)
  }
  const fields = { ...limit, ...(expectedP90Ms !== undefined && { expectedP90Ms }) }
  // They were checked above: numbers, the controller's name, and three switches.
  return {
    createdAtMs,
    fields: fields as Fields,
    enforced: latencyControl === true && shadow === false,
  }
}
