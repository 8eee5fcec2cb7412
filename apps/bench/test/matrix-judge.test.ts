import { describe, expect, it } from 'vitest'
import { type Context, contextOf, judge, type Mark } from '../src/matrix/judge.js'
import type { Observation, Send } from '../src/matrix/observation.js'
import { answer, type Expectation, ok, type Probe } from '../src/matrix/probe.js'

const probe = (expected: Expectation, more: Partial<Probe> = {}): Probe => ({
  id: 'x',
  rule: 'R1',
  group: '',
  title: '',
  method: 'GET',
  answers: [answer(429), ok],
  expect: expected,
  ...more,
})

/** Requests at these times, each answered at once; the first with a stated wait. */
const sends = (times: number[], statedMs: number | null = null, keys: (string | null)[] = []): Send[] =>
  times.map((atMs, index) => ({
    atMs,
    method: 'GET',
    idempotencyKey: keys[index] ?? null,
    answer: '429',
    answeredAtMs: atMs,
    notBeforeMs: statedMs === null ? null : atMs + statedMs,
  }))

const seen = (of: Send[], more: Partial<Observation> = {}): Observation => ({
  sends: of,
  end: { atMs: (of.at(-1)?.atMs ?? 0) + 1, status: 200, retryAfter: null, body: null, error: null },
  abortedAtMs: null,
  untilMs: 4200,
  again: [],
  ...more,
})

const ended = (atMs: number, more: Partial<NonNullable<Observation['end']>> = {}): Partial<Observation> => ({
  end: { atMs, status: 429, retryAfter: null, body: null, error: null, ...more },
})

const READER: Context = { retriesThrottles: true, readsRetryAfter: true, retriesTransients: true, hotAnyway: false }

type Row = [name: string, expected: Expectation, observed: Observation, mark: Mark, finding: string]

describe('the judge goes by what arrived, and when', () => {
  const rows: Row[] = [
    ['R8: on time', 'comes-back', seen(sends([0, 2003], 2000)), '✓', 'fine'],
    ['R8: a timer may fire a millisecond early', 'comes-back', seen(sends([0, 1998], 2000)), '✓', 'fine'],
    ['R8: before the stated time', 'comes-back', seen(sends([0, 1980], 2000)), '✗', 'early'],
    ['R8: far too late', 'comes-back', seen(sends([0, 4100], 2000)), '✗', 'late'],
    ['R1: not at all', 'comes-back', seen(sends([0], 2000), ended(3)), '✗', 'not-retried'],
    ['R8: still waiting', 'comes-back', seen(sends([0], 2000), { end: null }), '✗', 'waits'],
    ['R8: 0, at once', 'at-once', seen(sends([0, 4, 9], 0)), '✓', 'fine'],
    ['R8: 0, after a second', 'at-once', seen(sends([0, 1000, 3000], 0)), '✗', 'late'],
    ['R7: a wait', 'backs-off', seen(sends([0, 80, 400])), '✓', 'fine'],
    ['R7: none', 'backs-off', seen(sends([0, 2, 4])), '✗', 'hot'],
    ['H1: malformed, a wait', 'as-if-absent', seen(sends([0, 180])), '✓', 'fine'],
    ['H1: malformed, NaN fires at once', 'as-if-absent', seen(sends([0, 1, 2, 3])), '✗', 'hot'],
    ['H1: malformed, for ever', 'as-if-absent', seen(sends([0]), { end: null }), '✗', 'waits'],
    ['H3: past, sent again', 'returns', seen(sends([0, 1])), '✓', 'fine'],
    ['R6: an hour, told at once', 'fails-fast', seen(sends([0], 3.6e6), ended(4)), '✓', 'fine'],
    ['R6: an hour, slept', 'fails-fast', seen(sends([0], 3.6e6), { end: null }), '~', 'waits'],
    ['R6: an hour, given up by a timeout', 'fails-fast', seen(sends([0], 3.6e6), ended(10_000)), '~', 'waits'],
    ['R6: an hour, clamped', 'fails-fast', seen(sends([0, 30_000], 3.6e6), { end: null }), '✗', 'early'],
    ['R2: sent once', 'once', seen(sends([0]), ended(2)), '✓', 'fine'],
    ['R2: repeated', 'once', seen(sends([0, 300])), '✗', 'repeated'],
    ['R2: repeated under one key', 'once', seen(sends([0, 300], null, ['a', 'a'])), '✓', 'fine'],
    ['R2: repeated under two keys', 'once', seen(sends([0, 300], null, ['a', 'b'])), '✗', 'repeated'],
    ['R2: the key is kept', 'returns', seen(sends([0, 300], null, ['a', 'a'])), '✓', 'fine'],
    ['R2: the key is lost', 'returns', seen(sends([0, 300], null, ['a', null])), '✗', 'repeated'],
    ['R5: it ends', 'ends', seen(sends([0, 1, 2, 3]), ended(4)), '✓', 'fine'],
    ['R5: it does not', 'ends', seen(sends([0, 1, 2, 3]), { end: null }), '✗', 'endless'],
    ['R11: prompt', 'abort', seen(sends([0]), { ...ended(803), abortedAtMs: 800 }), '✓', 'fine'],
    ['R11: late', 'abort', seen(sends([0]), { ...ended(2000), abortedAtMs: 800 }), '✗', 'abort-late'],
    ['R11: never', 'abort', seen(sends([0]), { end: null, abortedAtMs: 800 }), '✗', 'abort-late'],
    ['R11: sent again', 'abort', seen(sends([0, 2000]), { ...ended(803), abortedAtMs: 800 }), '✗', 'abort-sent'],
    ['R11: over before', 'abort', seen(sends([0]), { ...ended(40), abortedAtMs: null }), '–', 'not-applicable'],
    ['R12: the last body', 'body', seen(sends([0, 9]), ended(12, { body: '{"m":"answer-2"}' })), '✓', 'fine'],
    ['R12: an earlier body', 'body', seen(sends([0, 9]), ended(12, { body: '{"m":"answer-1"}' })), '✗', 'hidden'],
    ['H5: told', 'header', seen(sends([0]), ended(2, { status: 404, retryAfter: '7' })), '✓', 'fine'],
    ['H5: not told', 'header', seen(sends([0]), ended(2, { status: 404 })), '✗', 'hidden'],
    ['H5: slept and sent again', 'header', seen(sends([0, 900]), ended(902, { retryAfter: '7' })), '✗', 'repeated'],
  ]

  it.each(rows)('%s', (_, expected, observed, mark, finding) => {
    expect(judge(probe(expected), observed, READER)).toMatchObject({ mark, finding })
  })
})

describe('the judge goes by other rows where one row alone would mislead', () => {
  it('says nothing of how Retry-After is read where it is not read', () => {
    const blind: Context = { ...READER, readsRetryAfter: false }
    const early = seen(sends([0, 500], 2000))
    expect(judge(probe('comes-back', { reading: true }), early, blind).mark).toBe('–')
    expect(judge(probe('comes-back', { reading: true }), early, READER).mark).toBe('✗')
  })

  it('blames no client for a convention it does not know', () => {
    const early = seen(sends([0, 500], 2000))
    expect(judge(probe('comes-back', { convention: true }), early, READER).mark).toBe('–')
    expect(judge(probe('comes-back', { convention: true }), seen(sends([0, 2001], 2000)), READER).mark).toBe('✓')
  })

  it('praises no client for not repeating what it never repeats', () => {
    const never: Context = { ...READER, retriesTransients: false }
    expect(judge(probe('once', { convention: true }), seen(sends([0]), ended(2)), never).mark).toBe('–')
  })

  it('takes a malformed value for absent where the client is as quick without one', () => {
    const quick = seen(sends([0, 2, 4]))
    expect(judge(probe('as-if-absent'), quick, { ...READER, hotAnyway: true }).mark).toBe('✓')
  })

  it('calls a client hot where one try is quick throughout: a busy machine only adds', () => {
    const busy = seen(sends([0, 90, 92]), { again: [seen(sends([0, 3, 21]))] })
    expect(judge(probe('backs-off'), busy, READER).finding).toBe('hot')
    const random = seen(sends([0, 3, 300]), { again: [seen(sends([0, 90, 92]))] })
    expect(judge(probe('backs-off'), random, READER).finding).toBe('fine')
  })

  it('learns the context from the rows about 429 and 503', () => {
    const of = (rows: Record<string, Observation>): Context => contextOf((id) => rows[id])
    expect(
      of({
        'stated-get': seen(sends([0, 2002], 2000)),
        unstated: seen(sends([0, 200])),
        'unavailable-get': seen(sends([0, 200])),
      }),
    ).toEqual(READER)
    expect(
      of({
        'stated-get': seen(sends([0], 2000), ended(2)),
        unstated: seen(sends([0, 1, 2])),
        'unavailable-get': seen(sends([0]), ended(2)),
      }),
    ).toEqual({ retriesThrottles: false, readsRetryAfter: false, retriesTransients: false, hotAnyway: true })
  })
})
