import { type Observation, quickestTry, waitsOf } from './observation.js'
import type { Expectation, Probe } from './probe.js'

export type Mark = '✓' | '✗' | '–' | '~'

/** What was found, apart from whether it is right. */
export type Finding =
  | 'fine'
  | 'not-retried'
  | 'early'
  | 'late'
  | 'waits'
  | 'hot'
  | 'repeated'
  | 'endless'
  | 'abort-late'
  | 'abort-sent'
  | 'hidden'
  | 'not-applicable'

export interface Verdict {
  mark: Mark
  finding: Finding
  /** One sentence. */
  says: string
}

/** What other probes told about the same client and configuration. */
export interface Context {
  /** It comes back after a 429. */
  retriesThrottles: boolean
  /** It waits what Retry-After states. */
  readsRetryAfter: boolean
  /** It comes back after a 503. */
  retriesTransients: boolean
  /** It comes back without any wait where nothing was stated. */
  hotAnyway: boolean
}

/** Platforms' timers may fire about a millisecond early, and clocks of two processes differ a little. */
const EARLY_MS = 5

/** What still counts as at once: two processes on a busy machine. */
const AT_ONCE_MS = 150

/** The same after a stated wait of 0: a client may add a little jitter. Most waits of all tries must be within. */
const ZERO_MS = 300

/** Waits that are shorter than this on average are none, in the quickest of several tries. */
const HOT_MS = 16

export const seconds = (ms: number): string =>
  ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`

const fine = (says: string): Verdict => ({ mark: '✓', finding: 'fine', says })
const wrong = (finding: Finding, says: string): Verdict => ({ mark: '✗', finding, says })
const silent = (says: string): Verdict => ({ mark: '–', finding: 'not-applicable', says })

/** No second request: either the caller has the answer, or it still waits. */
function notSeenAgain({ end, untilMs }: Observation): Verdict {
  if (end === null) return wrong('waits', `Still waiting after ${seconds(untilMs)}.`)
  const what = end.status === null ? `an error (${end.error})` : `the ${end.status}`
  return wrong('not-retried', `Gave its caller ${what} after ${seconds(end.atMs)}; not sent again.`)
}

function comesBack(seen: Observation): Verdict {
  const [first, second] = seen.sends
  if (!first || !second) return notSeenAgain(seen)
  const stated = (first.notBeforeMs ?? first.answeredAtMs) - first.answeredAtMs
  const wait = second.atMs - first.answeredAtMs
  if (wait < stated - EARLY_MS)
    return wrong('early', `Came back after ${seconds(wait)}; ${seconds(stated)} were asked.`)
  if (wait > stated * 1.25 + 1500)
    return wrong('late', `Came back after ${seconds(wait)}; ${seconds(stated)} were asked.`)
  return fine(`Came back after ${seconds(wait)}; ${seconds(stated)} were asked.`)
}

const listed = (waits: number[]): string =>
  waits.length > 6 ? `${waits.slice(0, 6).map(seconds).join(', ')}, … (${waits.length})` : waits.map(seconds).join(', ')

const isHot = (seen: Observation): boolean => {
  const waits = quickestTry(seen)
  return waits.length > 0 && waits.reduce((sum, wait) => sum + wait, 0) < HOT_MS * waits.length
}

function isMostlyWithin(seen: Observation, ms: number): boolean {
  const waits = [seen, ...seen.again].flatMap(waitsOf)
  return waits.filter((wait) => wait <= ms).length > waits.length / 2
}

function asIfAbsent(seen: Observation, context: Context): Verdict {
  if (seen.sends.length < 2) return notSeenAgain(seen)
  const waits = waitsOf(seen)
  if (isHot(seen) && !context.hotAnyway) return wrong('hot', `Came back without a wait: ${listed(quickestTry(seen))}.`)
  return fine(`Waited ${listed(waits)}.`)
}

function failsFast(seen: Observation): Verdict {
  const [first, second] = seen.sends
  if (first && second) {
    const wait = second.atMs - first.answeredAtMs
    return wrong(
      'early',
      `Came back after ${seconds(wait)}, before the stated time${seen.sends.length > 2 ? `; ${seen.sends.length} requests in all` : ''}.`,
    )
  }
  if (seen.end && seen.end.atMs <= 1000) return fine(`Told its caller after ${seconds(seen.end.atMs)}; not sent again.`)
  const until = seen.end ? `gave up after ${seconds(seen.end.atMs)}` : `still waiting after ${seconds(seen.untilMs)}`
  // R6 leaves both to the client: to wait as long, or to give up at once. What differs is who bears it.
  return { mark: '~', finding: 'waits', says: `Does not come back early, but holds its caller: ${until}.` }
}

function once(seen: Observation): Verdict {
  const keys = seen.sends.map(({ idempotencyKey }) => idempotencyKey)
  if (seen.sends.length < 2) return seen.end ? fine('Sent once.') : notSeenAgain(seen)
  if (keys.every((key) => key !== null && key === keys[0]))
    return fine('Repeated, under a key that the client made itself.')
  return wrong(
    'repeated',
    `Sent ${seen.sends.length} times${keys[0] === null ? ', without a key' : ', each time with another key'}.`,
  )
}

function returns(seen: Observation): Verdict {
  if (seen.sends.length < 2) return notSeenAgain(seen)
  const [first, second] = seen.sends
  if (first?.idempotencyKey !== second?.idempotencyKey) return wrong('repeated', 'Sent again with another key.')
  return fine(`Sent again after ${listed(waitsOf(seen))}.`)
}

function aborted(seen: Observation): Verdict {
  const { abortedAtMs, end, sends } = seen
  if (abortedAtMs === null || (end && end.atMs < abortedAtMs - 1)) return silent('The call had ended before the abort.')
  const later = sends.filter(({ atMs }) => atMs > abortedAtMs + AT_ONCE_MS)
  if (later.length > 0)
    return wrong(
      'abort-sent',
      `${later.length} more request(s) after the abort, the first ${seconds((later[0]?.atMs ?? 0) - abortedAtMs)} after it.`,
    )
  if (end === null) return wrong('abort-late', `Not rejected ${seconds(seen.untilMs - abortedAtMs)} after the abort.`)
  const took = end.atMs - abortedAtMs
  return took > AT_ONCE_MS
    ? wrong('abort-late', `Rejected ${seconds(took)} after the abort.`)
    : fine(`Rejected ${seconds(took)} after the abort.`)
}

function told({ sends, end }: Observation, expected: 'body' | 'header'): Verdict {
  if (end === null) return wrong('waits', 'The call had not ended when the window closed.')
  const found = expected === 'body' ? end.body?.includes(`answer-${sends.length}`) : end.retryAfter === '7'
  const what = expected === 'body' ? 'body of the last answer' : 'stated wait'
  if (!found) return wrong('hidden', `The ${what} does not reach the caller${end.error ? ` (${end.error})` : ''}.`)
  if (expected === 'header' && sends.length > 1) return wrong('repeated', `Sent ${sends.length} times.`)
  return fine(`The ${what} reaches the caller${sends.length > 1 ? `, after ${sends.length} requests` : ''}.`)
}

function look(expect: Expectation, seen: Observation, context: Context): Verdict {
  const waits = waitsOf(seen)
  switch (expect) {
    case 'comes-back':
      return comesBack(seen)
    case 'at-once':
      if (seen.sends.length < 2) return notSeenAgain(seen)
      return isMostlyWithin(seen, ZERO_MS)
        ? fine(`Waited ${listed(waits)}.`)
        : wrong('late', `Waited ${listed(waits)}: the stated 0 was not taken for a wait of 0.`)
    case 'as-if-absent':
      return asIfAbsent(seen, context)
    case 'backs-off':
      if (seen.sends.length < 2) return notSeenAgain(seen)
      return isHot(seen)
        ? wrong('hot', `Came back without a wait: ${listed(quickestTry(seen))}.`)
        : fine(`Waited ${listed(waits)}.`)
    case 'returns':
      return returns(seen)
    case 'fails-fast':
      return failsFast(seen)
    case 'once':
      return once(seen)
    case 'ends':
      return seen.end
        ? fine(`Ended after ${seen.sends.length} request(s) and ${seconds(seen.end.atMs)}.`)
        : wrong('endless', `Still going after ${seconds(seen.untilMs)} and ${seen.sends.length} requests.`)
    case 'abort':
      return aborted(seen)
    case 'body':
    case 'header':
      return told(seen, expect)
  }
}

/** What a client does that does not know a header. */
const IGNORED: Finding[] = ['early', 'not-retried', 'repeated', 'waits', 'late']

/** From what arrived, and when, to a verdict. Knows no client. */
export function judge(probe: Probe, seen: Observation, context: Context): Verdict {
  if (probe.reading && !context.retriesThrottles)
    return silent('It does not come back after a 429: there is no wait to judge.')
  if (probe.reading && !context.readsRetryAfter)
    return silent('It does not wait what Retry-After states, in whatever form.')
  if (probe.convention && probe.expect === 'once' && !context.retriesTransients)
    return silent('It does not repeat a 503 anyway.')
  const verdict = look(probe.expect, seen, context)
  const knowsNothing = IGNORED.includes(verdict.finding)
  if (probe.convention && knowsNothing) return silent(`Nobody has to know this header. ${verdict.says}`)
  return verdict
}

/** What the rows about 429 tell about a client, for the rows that build on them. */
export function contextOf(seen: (probe: string) => Observation | undefined): Context {
  const stated = seen('stated-get')
  const unstated = seen('unstated')
  return {
    retriesThrottles: stated !== undefined && (stated.sends.length > 1 || stated.end === null),
    readsRetryAfter: stated !== undefined && comesBack(stated).mark === '✓',
    retriesTransients: (seen('unavailable-get')?.sends.length ?? 2) > 1,
    hotAnyway: unstated !== undefined && isHot(unstated),
  }
}
