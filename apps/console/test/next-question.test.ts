import type { DataSourceStatus } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { nextQuestion, type Standing } from '../src/sources/next-question.js'
import { pauseAfter } from '../src/sources/question-pause.js'

const NOW = 100_000
const source = (name: string, state: DataSourceStatus['state'] = 'flowing', since = 'a'): DataSourceStatus => {
  return { name, dataset: 'default', state, state_since: since }
}
/** Two that flow, and all was asked just now. */
const standing = (changes: Partial<Standing> = {}): Standing => ({
  sources: [source('clicks'), source('orders')],
  asked: new Map(['clicks', 'orders'].map((name) => [name, { atMs: NOW, since: 'a' }])),
  ...{ opened: null, isOwner: null, noticesAtMs: NOW, hasNews: false },
  ...changes,
})
const next = (changes: Partial<Standing>, nowMs = NOW) => nextQuestion(standing(changes), nowMs)
const ask = (name: string) => ({ kind: 'source', name })

describe('what is asked next', () => {
  test('is nothing where there are no data sources', () => {
    expect(next({ sources: [] })).toBeNull()
  })

  test('is notices after half a minute, and each that flows after one', () => {
    expect(next({})).toEqual({ question: { kind: 'notices' }, inMs: 30_000 })
    expect(next({ noticesAtMs: NOW + 50_000 })).toEqual({ question: ask('clicks'), inMs: 60_000 })
  })

  test('is what was never asked, at once', () => {
    expect(next({ asked: new Map([['clicks', { atMs: NOW, since: 'a' }]]) })).toEqual({
      question: ask('orders'),
      inMs: 0,
    })
    expect(next({ noticesAtMs: null })).toEqual({ question: { kind: 'notices' }, inMs: 0 })
  })

  test('is what is in trouble every 10 s', () => {
    const asked = new Map([
      ['clicks', { atMs: NOW, since: 'a' }],
      ['orders', { atMs: NOW, since: 'b' }],
    ])
    const sources = [source('clicks'), source('orders', 'delayed', 'b')]
    expect(next({ sources, asked })).toEqual({ question: ask('orders'), inMs: 10_000 })
  })

  test('is what has changed after a second, and first what was said of it', () => {
    const sources = [source('clicks'), source('orders', 'delayed', 'b')]
    expect(next({ sources, hasNews: true }, NOW + 500)).toEqual({ question: { kind: 'notices' }, inMs: 500 })
    expect(next({ sources, noticesAtMs: NOW + 1000 }, NOW + 1000)).toEqual({ question: ask('orders'), inMs: 0 })
  })

  test('is the one that is opened every 2 s, and once whether the token is of an owner', () => {
    const opened = { opened: 'orders', isOwner: null }
    expect(next(opened)).toEqual({ question: { kind: 'rights', name: 'orders' }, inMs: 0 })
    expect(next({ ...opened, isOwner: false })).toEqual({ question: ask('orders'), inMs: 2000 })
    // Before all that is due as well.
    expect(next({ ...opened, asked: new Map(), noticesAtMs: null })).toEqual({ question: ask('orders'), inMs: 0 })
  })
})

describe('after an answer', () => {
  const answered = (left: number, t = 1) =>
    pauseAfter({
      kind: 'data',
      data: null,
      headers: new Headers({ ratelimit: `"demo";r=${left};t=${t}`, 'ratelimit-policy': '"demo";q=10;w=2' }),
    })
  const failed = (status: number | null, retryAfterMs: number | null = null) =>
    pauseAfter({ kind: 'failed', message: '', detail: null, status, retryAfterMs })

  test('nothing is asked for long enough that half of the quota is left', () => {
    expect([answered(5), answered(4), answered(1, 3), answered(0, 2)]).toEqual([250, 1000, 3000, 2000])
  })

  test('nothing is asked before a refusal allows it', () => {
    expect([failed(429, 60_000), failed(429), failed(503, 1000), failed(null), failed(404)]).toEqual([
      ...[60_000, 5000, 5000, 5000, 1000],
    ])
  })
})
