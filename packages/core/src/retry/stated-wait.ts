import type { HeaderReader } from './failure.js'
import { HINTS, type Hint } from './hint.js'
import { parseHttpDate } from './http-date.js'

/** Longer waits are stated as this: finite, exact, and beyond any cap (H2). */
const MAX_MS = Number.MAX_SAFE_INTEGER

const atMost = (ms: number): number => Math.min(ms, MAX_MS)

/** Delta seconds with optional decimals, in ms rounded up; digit by digit, since 1.001 · 1000 is not 1001 in binary (H1). */
const seconds = (text: string | null | undefined): number | undefined => {
  const [, whole, fraction = ''] = /^[\t ]*(\d+)(?:\.(\d+))?[\t ]*$/.exec(text ?? '') ?? []
  if (!whole) return
  const thousandths = Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0)
  return atMost(Number(whole) * 1000 + thousandths)
}

/** H3: dates are compared with the response's own clock, unless a cache may have aged it, or it has none. */
const serverNow = (headers: HeaderReader, wallNow: number): number =>
  (headers.get('age') === null ? parseHttpDate(headers.get('date') ?? '', wallNow) : undefined) ?? wallNow

const until = (epochMs: number | undefined, now: number): number | undefined =>
  epochMs === undefined ? undefined : atMost(Math.max(0, Math.ceil(epochMs - now)))

/**
 * Parses a `Retry-After` value: delta seconds, with or without decimals, or an HTTP-date (H1–H3; RFC 9110 §10.2.3).
 *
 * @param value the header's value, or null where it was not sent
 * @param now epoch ms that a date is compared with: the response's own `Date` where it has one
 * @returns whole ms from 0 to 2^53 − 1, or null where the value is absent or malformed
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  return seconds(value) ?? until(parseHttpDate(value ?? '', now), now) ?? null
}

const ZERO = /^[\t ]*0+[\t ]*$/

/** A reset says when to come back where nothing remains; where `remaining` is not sent, that is taken for granted. */
const resetSeconds = (remaining: string | null | undefined, reset: string | null | undefined): number | undefined =>
  ZERO.test(remaining ?? '0') ? seconds(reset) : undefined

const STRING = '"(?:[^"\\\\]|\\\\["\\\\])*"'
const TOKEN = "[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*"
/** Bare items of RFC 9651 §3.3: numbers, strings, tokens, booleans, bytes, dates, display strings. */
const ITEM = `-?\\d+(?:\\.\\d+)?|${STRING}|${TOKEN}|\\?[01]|:[\\w+/=-]*:|@-?\\d+|%"(?:[ !#$&-~]|%[\\da-f]{2})*"`
const PARAMETER = `; *([a-z*][a-z0-9_.*-]*)(?:=(${ITEM}))?`
const MEMBER = `[\\t ]*(?:${STRING}|${TOKEN})((?:${PARAMETER})*)[\\t ]*(,|$)`

/** `RateLimit: "burst";r=0;t=30, "daily";r=7;t=3600`: the longest `t` of those with nothing left (IETF httpapi draft). */
const rateLimit = (value: string | null): number | undefined => {
  let longest: number | undefined
  let after: string | undefined
  for (const [, parameters = '', ...rest] of (value ?? '').matchAll(new RegExp(MEMBER, 'gy'))) {
    const of: Record<string, string | undefined> = {}
    for (const [, key = '', text] of parameters.matchAll(new RegExp(PARAMETER, 'g'))) of[key] = text
    const t = seconds(of.t)
    if (ZERO.test(of.r ?? '') && t !== undefined) longest = Math.max(longest ?? 0, t)
    after = rest.at(-1)
  }
  return after === '' ? longest : undefined // one malformed member makes the field malformed (RFC 9651 §4.2)
}

/** `RateLimit: limit=100, remaining=0, reset=30`, as older drafts had it. */
const olderRateLimit = (value: string | null): number | undefined => {
  const of = (name: string): string | undefined => new RegExp(`(?:^|,)[\\t ]*${name}=([^,]*)`).exec(value ?? '')?.[1]
  return resetSeconds(of('remaining'), of('reset'))
}

const readers: Record<Hint, (headers: HeaderReader, wallNow: number) => number | null | undefined> = {
  'retry-after-ms': (headers) => {
    const ms = headers.get('retry-after-ms') ?? ''
    return /^[\t ]*\d+[\t ]*$/.test(ms) ? atMost(Number(ms)) : undefined
  },
  'retry-after': (headers, wallNow) => parseRetryAfter(headers.get('retry-after'), serverNow(headers, wallNow)),
  ratelimit: (headers) => rateLimit(headers.get('ratelimit')) ?? olderRateLimit(headers.get('ratelimit')),
  'ratelimit-reset': (headers) => resetSeconds(headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')),
  'x-ratelimit-reset': (headers, wallNow) => {
    const reset = headers.get('x-ratelimit-reset')
    const ms = resetSeconds(headers.get('x-ratelimit-remaining'), reset)
    if (ms === undefined || ms < 1e12) return ms // below 1e9: delta seconds
    const epochMs = ms < 1e15 ? ms : atMost(Number(reset)) // below 1e12: epoch seconds, else epoch ms
    return until(epochMs, serverNow(headers, wallNow))
  },
}

/**
 * Reads the wait that a response states, from the first well-formed of its hints (H4).
 *
 * @param headers the response's headers
 * @param throttle whether the server refused before acting: only then do rate limit resets count
 * @param wallNow epoch ms of the wall clock, for dates where the response has no usable `Date` of its own
 * @param hints which headers to read; default all
 * @returns whole ms from 0 to 2^53 − 1, or null where none is stated
 */
export function statedWait(
  headers: HeaderReader,
  throttle: boolean,
  wallNow: number,
  hints: readonly Hint[] = HINTS,
): number | null {
  for (const hint of HINTS) {
    if (!hints.includes(hint) || (!throttle && !hint.startsWith('retry-after'))) continue
    const ms = readers[hint](headers, wallNow)
    if (ms != null) return ms
  }
  return null
}
