import { describe, expect, it } from 'vitest'
import { decideGcra, type GcraDecision, type GcraLimit, type GcraState } from '../src/quota/gcra.js'

const twoASecond: GcraLimit = { ratePerSecond: 2, burst: 3 }

/** Plays requests at the given moments and returns every decision. */
function play(limit: GcraLimit, ...momentsMs: readonly number[]): GcraDecision[] {
  let state: GcraState | undefined
  return momentsMs.map((nowMs) => {
    const decision = decideGcra(state, nowMs, limit)
    state = decision.state
    return decision
  })
}

const allowed = (decisions: readonly GcraDecision[]) => decisions.map((it) => it.allowed)

describe('GCRA', () => {
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
        if (ratePerSecond < 1000) expect(refused?.allowed).toBe(false)
        expect(back?.allowed).toBe(true)
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
    expect(play(limit, ...moments).every((it) => it.allowed)).toBe(true)
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
    const admitted = play(limit, ...moments).flatMap((it, index) => (it.allowed ? [index * 7] : []))
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
    expect(refused).toMatchObject({ allowed: false, retryAfterMs: 500 })
    expect(next?.allowed).toBe(true)
    expect(allowed(play(twoASecond, hourMs, hourMs, hourMs, 0, 499))).toEqual([true, true, true, false, false])
  })
})
