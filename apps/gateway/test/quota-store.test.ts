import { describe, expect, it } from 'vitest'
import { QuotaStore } from '../src/quota/quota-store.js'
import { rateLimitHeaders } from '../src/quota/rate-limit-headers.js'

const limit = { ratePerSecond: 1, burst: 2 }

describe('QuotaStore', () => {
  it('keeps the quotas of different callers apart', () => {
    const store = new QuotaStore({ nowMs: () => 0 })
    expect([store.take('a', limit), store.take('a', limit), store.take('a', limit)].map((it) => it.allowed)).toEqual([
      true,
      true,
      false,
    ])
    expect(store.take('b', limit).allowed).toBe(true)
  })

  it('forgets callers whose quota is whole again, and nobody else, when it is full', () => {
    let nowMs = 0
    const store = new QuotaStore({ nowMs: () => nowMs, maxStates: 3 })
    for (const key of ['rested-1', 'rested-2']) store.take(key, limit)
    nowMs = 1500 // both have everything back
    for (let i = 0; i < 2; i += 1) store.take('busy', limit)
    store.take('new', limit)
    expect(store.size).toBe(2)
    expect(store.take('busy', limit).allowed).toBe(false)
  })

  it('stays within its bound when every caller is in debt, and forgives the smallest one', () => {
    const store = new QuotaStore({ nowMs: () => 0, maxStates: 2 })
    for (let i = 0; i < 2; i += 1) store.take('deep', limit)
    store.take('shallow', limit)
    for (let i = 0; i < 50; i += 1) store.take(`other-${i}`, limit)
    expect(store.size).toBe(2)
    expect(store.take('deep', limit).allowed).toBe(false)
  })
})

describe('rateLimitHeaders', () => {
  const decision = { allowed: true, remaining: 3, resetMs: 1400, retryAfterMs: 0, state: { tatMs: 0, seenMs: 0 } }

  it('tells policy, what is left and when all is back', () => {
    expect(rateLimitHeaders('free', { ratePerSecond: 5, burst: 10 }, decision)).toEqual({
      'RateLimit-Policy': '"free";q=10;w=2',
      RateLimit: '"free";r=3;t=2',
    })
  })

  it('tells when the next one is admitted once nothing is left', () => {
    const last = { ...decision, remaining: 0, retryAfterMs: 200 }
    expect(rateLimitHeaders('free', { ratePerSecond: 5, burst: 10 }, last).RateLimit).toBe('"free";r=0;t=1')
  })

  it.each([
    [0.01, '1'],
    [999, '1'],
    [1000, '1'],
    [1000.0000001, '1'],
    [1001, '2'],
    [59_000.5, '60'],
  ])('rounds a wait of %f ms up to %s s, in both headers', (retryAfterMs, seconds) => {
    const refused = { ...decision, allowed: false, remaining: 0, retryAfterMs }
    const headers = rateLimitHeaders('free', { ratePerSecond: 1, burst: 1 }, refused)
    expect(headers['Retry-After']).toBe(seconds)
    expect(headers.RateLimit).toBe(`"free";r=0;t=${seconds}`)
  })
})
