import { isObject } from '../errors/is-object.js'
import { shown } from '../retry/policy.js'

/** An ordinary latency known beforehand (L17). */
export interface Prior {
  /** p90 of the backend's windows when it is well, in ms. */
  readonly p90Ms: number
  /** Windows that it was learned from; they count as seen, and a whole warm-up does in any case. */
  readonly windows: number
}

/** What one process learned, for the next one: plain JSON. */
export interface SavedBaseline {
  readonly version: 1
  /** Which backend it was learned of. */
  readonly backendId: string
  /** Epoch ms. */
  readonly savedAtMs: number
  readonly baselineMs: number
  readonly windows: number
}

/** Where a limiter may know from what is ordinary. The first that is there and valid counts, in this order. */
export interface PriorOptions {
  /** Which backend is limited, for `saved`. Default ''. */
  backendId?: string | undefined
  /** What `save()` gave, perhaps in another process. Ignored where it is older than seven days, of another backend, or of more than seven days to come. */
  saved?: unknown
  /** A baseline from elsewhere. `windows` defaults to a warm-up. */
  prior?: { readonly p90Ms: number; readonly windows?: number | undefined } | null | undefined
  /** What the operator expects, in ms; counts as a warm-up and no more. */
  expectedP90Ms?: number | null | undefined
}

const SEVEN_DAYS = 604_800_000

/**
 * The prior that a limiter starts from (L17), or null.
 * @param wallNow epoch ms
 * @throws TypeError for a figure that is no latency; what was saved is never refused, only ignored
 */
export function priorOf(options: PriorOptions, wallNow: number): Prior | null {
  const { backendId = '', saved, prior = null, expectedP90Ms = null } = options
  if (typeof backendId !== 'string') throw wrong('backendId', 'a string', backendId)
  if (prior !== null && !(isObject(prior) && isLatency(prior.p90Ms)))
    throw wrong('prior', 'null or have p90Ms, a number of ms above 0', isObject(prior) ? prior.p90Ms : prior)
  if (prior?.windows !== undefined && !isCount(prior.windows))
    throw wrong('prior.windows', 'an integer of at least 0', prior.windows)
  if (expectedP90Ms !== null && !isLatency(expectedP90Ms))
    throw wrong('expectedP90Ms', 'a number of ms above 0, or null', expectedP90Ms)
  // A clock that is ahead by as much is no clock: what it dates would not grow old.
  if (isSaved(saved) && saved.backendId === backendId && Math.abs(wallNow - saved.savedAtMs) <= SEVEN_DAYS)
    return { p90Ms: saved.baselineMs, windows: saved.windows }
  if (prior !== null) return { p90Ms: prior.p90Ms, windows: prior.windows ?? 0 }
  return expectedP90Ms === null ? null : { p90Ms: expectedP90Ms, windows: 0 }
}

const isLatency = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function isSaved(value: unknown): value is SavedBaseline {
  if (!isObject(value)) return false
  const { version, backendId, savedAtMs, baselineMs, windows } = value as Partial<Record<keyof SavedBaseline, unknown>>
  return (
    version === 1 &&
    typeof backendId === 'string' &&
    Number.isFinite(savedAtMs) &&
    isLatency(baselineMs) &&
    isCount(windows)
  )
}

const wrong = (field: string, must: string, value: unknown): TypeError =>
  Object.assign(new TypeError(`limiter: ${field} must be ${must}; got ${shown(value)}`), { field })
