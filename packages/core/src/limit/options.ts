import { isObject } from '../errors/is-object.js'
import { shown } from '../retry/policy.js'

/** What an adaptive limit can be told. Times are milliseconds, and whole but for the two time constants. */
export interface LimitOptions {
  /** How latency is turned into a limit: `knee` by what was in flight (L18–L21), `windowed` in steps (L6). Default knee. */
  controller?: 'windowed' | 'knee' | undefined
  /** Calls in flight at most, whatever is measured (L1). Default 35. */
  maxConcurrent?: number | undefined
  /** The latency ceiling never falls below this (L6). Default null: half of `maxConcurrent`, and at least 1. */
  floor?: number | null | undefined
  /** Length of a window of samples (L3). Default 10 000. */
  windowMs?: number | undefined
  /** A window with fewer samples is dropped (L3). Default 50. */
  minSamples?: number | undefined
  /** No ratio before more windows than these have counted (L5). Default 30. */
  warmupWindows?: number | undefined
  /** Time constant by which the present is smoothed (L4). Default 20 000; with `windowed` 60 000: a minute. */
  smoothingTimeConstantMs?: number | undefined
  /** …and at least so many samples are smoothed over, where they come more rarely (L18). Default 1200; with `windowed` 0: only time counts. */
  smoothingSamples?: number | undefined
  /** Time constant by which the baseline learns (L5). Default 86 400 000: a day. */
  baselineTimeConstantMs?: number | undefined
  /** Above this ratio of present to baseline the ceiling falls (L6, L18). Default 1.2; with `windowed` 1.4. */
  backoffRatio?: number | undefined
  /** Below this ratio it rises again (L6, L18). Default 1.1; with `windowed` 1.2. */
  recoveryRatio?: number | undefined
  /** What is left of the ceiling at each fall, with `windowed` (L6). Default 0.75. */
  decreaseFactor?: number | undefined
  /**
   * How long the backend bears more than its knee while callers wait long (L19); after that they are shed (L20). 0 protects
   * the backend from the first; the greater, the longer callers are. Default 120 000: two minutes.
   */
  overdraftMs?: number | undefined
  /** `false`: nobody is let go before `queueTimeoutMs`, however much is owed (L20). Default true. */
  shedding?: boolean | undefined
  /** How long the baseline learns nothing before it gives way to a lasting change (L8). Default 21 600 000: six hours. */
  maxFreezeMs?: number | undefined
  /** Longest hold, whatever a server states (L10). Default 60 000. */
  maxHoldMs?: number | undefined
  /** Calls that may wait for a slot (L13). Default 500. */
  maxQueue?: number | undefined
  /** Longest wait for a slot, held time not counted (L13). Default 10 000. */
  queueTimeoutMs?: number | undefined
  /** `false`: latency is measured and changes nothing (L14). Default true. */
  latencyControl?: boolean | undefined
  /** Ceilings are computed and reported, and not enforced (L14). Default false. */
  shadow?: boolean | undefined
}

/** Complete, checked and frozen. Made by {@link limitOptions}. */
export type ResolvedLimitOptions = Readonly<{
  [Field in keyof LimitOptions]-?: Exclude<LimitOptions[Field], undefined | null>
}>

const DEFAULTS = {
  controller: 'knee',
  maxConcurrent: 35,
  floor: null,
  windowMs: 10_000,
  minSamples: 50,
  warmupWindows: 30,
  smoothingTimeConstantMs: 20_000,
  smoothingSamples: 1200,
  baselineTimeConstantMs: 86_400_000,
  recoveryRatio: 1.1, // before the one that is compared with it
  backoffRatio: 1.2,
  decreaseFactor: 0.75,
  overdraftMs: 120_000,
  shedding: true,
  maxFreezeMs: 21_600_000,
  maxHoldMs: 60_000,
  maxQueue: 500,
  queueTimeoutMs: 10_000,
  latencyControl: true,
  shadow: false,
}

/** Other defaults of `windowed`. */
const WINDOWED = { smoothingTimeConstantMs: 60_000, smoothingSamples: 0, backoffRatio: 1.4, recoveryRatio: 1.2 }

const isInteger = (value: unknown, least: number, most: number = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** Whether `value` is what a field takes beside the others, and what that is. */
const check = (field: string, value: unknown, all: Record<string, unknown>): [boolean, string] => {
  switch (field) {
    case 'controller':
      return [value === 'knee' || value === 'windowed', "'knee' or 'windowed'"]
    case 'latencyControl':
    case 'shadow':
    case 'shedding':
      return [typeof value === 'boolean', 'true or false']
    case 'floor': {
      const most = Number(all.maxConcurrent)
      return [value === null || isInteger(value, 1, most), `an integer from 1 to maxConcurrent (${most}), or null`]
    }
    case 'smoothingTimeConstantMs':
    case 'baselineTimeConstantMs':
      return [Number.isFinite(value) && Number(value) > 0, 'a number above 0']
    case 'recoveryRatio':
      return [Number.isFinite(value) && Number(value) >= 1, 'a number of at least 1']
    case 'backoffRatio': {
      const least = Number(all.recoveryRatio)
      return [Number.isFinite(value) && Number(value) >= least, `a number of at least recoveryRatio (${least})`]
    }
    case 'decreaseFactor':
      return [Number.isFinite(value) && Number(value) > 0 && Number(value) < 1, 'a number between 0 and 1']
  }
  const least = /^(warmupWindows|maxFreezeMs|maxHoldMs|overdraftMs|smoothingSamples|maxQueue)$/.test(field) ? 0 : 1
  return [isInteger(value, least), `an integer of at least ${least}`]
}

/**
 * Completes options with their defaults.
 *
 * @param options a field that is `undefined` counts as not given
 * @param where who was given them, for messages
 * @throws TypeError that names the field, the value and what is allowed, with the field's name as `field`
 */
export function limitOptions(options: LimitOptions = {}, where = 'limitOptions'): ResolvedLimitOptions {
  if (!isObject(options)) throw new TypeError(`${where}: options must be an object; got ${shown(options)}`)
  const all: Record<string, unknown> = { ...DEFAULTS, ...(options.controller === 'windowed' && WINDOWED) }
  for (const [name, value] of Object.entries(options)) if (value !== undefined) all[name] = value
  for (const [name, value] of Object.entries(all)) {
    const [fits, must] = Object.hasOwn(DEFAULTS, name)
      ? check(name, value, all)
      : [false, `left out: there is no such option; there are ${Object.keys(DEFAULTS).join(', ')}`]
    if (!fits)
      throw Object.assign(new TypeError(`${where}: ${name} must be ${must}; got ${shown(value)}`), { field: name })
  }
  all.floor ??= Math.max(1, Math.floor(Number(all.maxConcurrent) / 2))
  return Object.freeze(all) as ResolvedLimitOptions // every field comes from DEFAULTS and was checked above
}
