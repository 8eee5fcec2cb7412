import { Quota, type QuotaDecision, type QuotaOptions, rateLimitHeaders } from '@sluice/ingest'
import { describe, expect, it } from 'vitest'

const twoASecond = { ratePerSecond: 2, burst: 3 }

/** Plays requests of one token at the given moments and returns every decision. */
function play(limit: QuotaOptions, ...momentsMs: readonly number[]): QuotaDecision[] {
  let nowMs = 0
  const quota = new Quota({ ...limit, clock: { now: () => nowMs } })
  return momentsMs.map((moment) => {
    nowMs = moment
    return quota.take('token', 'source')
  })
}

const allowed = (decisions: readonly QuotaDecision[]): boolean[] => decisions.map((it) => it.isAdmitted)

describe('I5: Quota', () => {
  it('admits a burst at once and refuses the request after it', () => {
    const decisions = play(twoASecond, 0, 0, 0, 0)
    expect(allowed(decisions)).toEqual([true, true, true, false])
    expect(decisions.map((it) => it.remaining)).toEqual([2, 1, 0, 0])
    expect(decisions.map((it) => it.resetMs)).toEqual([500, 1000, 1500, 1500])
    expect(decisions.map((it) => it.retryAfterMs)).toEqual([0, 0, 500, 500])
  })

  it('admits a request exactly on time, and not one millisecond earlier', () => {
    expect(allowed(play(twoASecond, 0, 0, 0, 499, 500))).toEqual([true, true, true, false, true])
    expect(play(twoASecond, 0, 0, 0, 499).at(-1)?.retryAfterMs).toBe(1)
  })

  it('admits whoever returns after exactly the stated wait, at any rate', () => {
    for (const ratePerSecond of [0.1, 0.3, 1, 3, 7, 9.99, 333, 1_000_000]) {
      for (const startMs of [0, 0.1, 1e7 + 1 / 3]) {
        const limit = { ratePerSecond, burst: 1 }
        const refused = play(limit, startMs, startMs).at(-1)
        const returnMs = startMs + (refused?.retryAfterMs ?? Number.NaN)
        const [, , back] = play(limit, startMs, startMs, returnMs)
        if (ratePerSecond < 1000) expect(refused?.isAdmitted).toBe(false)
        expect(back?.isAdmitted).toBe(true)
      }
    }
  })

  it('charges nothing for a refused request: knocking does not push the door further away', () => {
    expect(allowed(play(twoASecond, 0, 0, 0, 1, 2, 3, 4, 500))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('sustains the rate: one each interval for ever, whatever the fractions', () => {
    const limit = { ratePerSecond: 3, burst: 1 }
    const moments = Array.from({ length: 3000 }, (_, index) => index * (1000 / 3))
    expect(play(limit, ...moments).every((it) => it.isAdmitted)).toBe(true)
  })

  it('gives the whole burst back to the idle, and never more than the burst', () => {
    const aDayMs = 86_400_000
    expect(allowed(play(twoASecond, 0, 0, 0, aDayMs, aDayMs, aDayMs, aDayMs))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('gives back one request for each interval of rest', () => {
    expect(allowed(play(twoASecond, 0, 0, 0, 1000, 1000, 1000))).toEqual([true, true, true, true, true, false])
  })

  it('never admits more than burst + rate × time in any window', () => {
    const limit = { ratePerSecond: 10, burst: 4 }
    const moments = Array.from({ length: 5000 }, (_, index) => index * 7) // far more than the rate
    const admitted = play(limit, ...moments).flatMap((it, index) => (it.isAdmitted ? [index * 7] : []))
    for (let from = 0; from < admitted.length; from += 1) {
      for (let to = from; to < admitted.length; to += 25) {
        const windowMs = (admitted[to] ?? 0) - (admitted[from] ?? 0)
        expect(to - from + 1).toBeLessThanOrEqual(4 + Math.floor((windowMs * 10) / 1000 + 1e-9))
      }
    }
    expect(admitted.length).toBeGreaterThan(340) // and it does use what it may
  })

  it('neither grants quota nor locks out when the clock goes backwards', () => {
    const hourMs = 3_600_000
    const [, , , refused, next] = play(twoASecond, hourMs, hourMs, hourMs, 0, 500)
    expect(refused).toMatchObject({ isAdmitted: false, retryAfterMs: 500 })
    expect(next?.isAdmitted).toBe(true)
    expect(allowed(play(twoASecond, hourMs, hourMs, hourMs, 0, 499))).toEqual([true, true, true, false, false])
  })
})

describe('I5: a quota in headers', () => {
  const decision: QuotaDecision = {
    ...{ isAdmitted: true, burst: 10, windowMs: 2000, remaining: 3, resetMs: 1400, retryAfterMs: 0 },
  }

  it('tells the policy, what is left and when all is back', () => {
    expect(rateLimitHeaders('free', decision)).toEqual({
      'RateLimit-Policy': '"free";q=10;w=2',
      RateLimit: '"free";r=3;t=2',
    })
  })

  it('tells when the next one is admitted once nothing is left', () => {
    expect(rateLimitHeaders('free', { ...decision, remaining: 0, retryAfterMs: 200 }).RateLimit).toBe('"free";r=0;t=1')
  })

  it.each([
    [0.01, '1'],
    [999, '1'],
    [1000, '1'],
    [1000.0000001, '1'],
    [1001, '2'],
    [59_000.5, '60'],
  ])('rounds a wait of %f ms up to %s s, in both headers', (retryAfterMs, seconds) => {
    const headers = rateLimitHeaders('free', { ...decision, isAdmitted: false, remaining: 0, retryAfterMs })
    expect(headers['Retry-After']).toBe(seconds)
    expect(headers.RateLimit).toBe(`"free";r=0;t=${seconds}`)
  })
})
