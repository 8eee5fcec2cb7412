import { describe, expect, it } from 'vitest'
import { evenly, jainIndex } from '../src/metrics/fairness.js'
import { highestSoFar } from '../src/metrics/false-seconds.js'
import { Recording } from '../src/metrics/recording.js'
import { statisticsOf } from '../src/metrics/statistics.js'
import { longestLowS, overshoot, recoverS, settleS } from '../src/metrics/transients.js'

const values = (...all: number[]): Float64Array => Float64Array.from(all)
const times = (n: number, value: number): number[] => Array.from({ length: n }, () => value)

describe('figures of a recording', () => {
  it('divide as evenly as can be: nobody more than wanted, what is left among the rest', () => {
    expect(evenly(14, [1, 1, 10])).toEqual([1, 1, 10])
    expect(evenly(9, [1, 1, 10])).toEqual([1, 1, 7])
    expect(evenly(9, [10, 2, 10])).toEqual([3.5, 2, 3.5])
    expect(evenly(0, [1, 2])).toEqual([0, 0])
  })

  it("are Jain's: 50, 30, 50 where 50, 10, 10 were fair come to 0.77, and one of four who has all to a quarter", () => {
    expect(jainIndex([50, 30, 50], [50, 10, 10])).toBeCloseTo(81 / 105, 12)
    expect(jainIndex([2, 0, 0, 0], [1, 1, 1, 1])).toBe(0.25)
    expect(jainIndex([3, 5], [6, 10])).toBe(1)
    expect(jainIndex([3, 0], [6, 0])).toBe(1) // who wanted nothing got all of it
  })

  it('a limit has settled once it stays within 15 % of where it ends up', () => {
    expect(settleS(values(35, 26, 19, ...times(9, 17)))).toBe(2) // 19 is within 15 % of 17
    expect(settleS(values(35, 26, 20, ...times(9, 17)))).toBe(3)
    expect(settleS(values(...times(6, 17)))).toBe(0)
    expect(settleS(values(...times(5, 35), 17, 35, 17, 35, 17))).toBe(10)
  })

  it('a server is well again when for ten seconds nobody waits, and no more are in it than it has cores', () => {
    const cores = values(...times(30, 4))
    const inside = values(9, 9, 5, ...times(27, 4))
    expect(recoverS({ inside, cores, queued: values(...times(30, 0)) })).toBe(3)
    expect(recoverS({ inside, cores, queued: values(...times(12, 0), 1, ...times(17, 0)) })).toBe(13)
    expect(recoverS({ inside, cores, queued: values(...times(29, 0), 1).reverse() })).toBe(3)
    expect(recoverS({ inside, cores, queued: values(...times(30, 1)) })).toBe(30)
  })

  it('overshoot is what was in it above its cores, of those that were there', () => {
    expect(overshoot({ inside: values(30, 26, 20), cores: values(0, 24, 24) })).toBeCloseTo(2 / 24, 12)
    expect(overshoot({ inside: values(24, 3), cores: values(24, 24) })).toBe(0)
  })

  it('a limit is low while it is half of its highest or less', () => {
    const limit = values(20, 35, 17, 17, 18, 17, 17, 17, 35)
    expect([...highestSoFar(limit)]).toEqual([20, ...times(8, 35)])
    expect(longestLowS(limit, highestSoFar(limit))).toBe(3)
  })

  it('who still waited when the world ended did not succeed, and has no latency', () => {
    const recording = new Recording()
    const [first, second] = [recording.came(100, 0), recording.came(200, 3)]
    recording.came(300, 3)
    recording.ended(second, 950, { ok: true, delayed: true })
    recording.ended(first, 400, { ok: true, delayed: false })
    recording.attempt()
    const second_ = { limit: 5, inFlight: 1, queued: 1, unknown: true, inside: 1, busyCoreUs: 5e5, cores: 2 }
    recording.second(second_)
    const of = statisticsOf(recording, { fromS: 0, toS: 1 })
    expect(of).toMatchObject({ calls: 3, p50Ms: 300, p99Ms: 750, othersP99Ms: 750, unknownShare: 1, falseShare: 0 })
    expect(of.okShare).toBeCloseTo(2 / 3, 12)
    expect(of.amplification).toBeCloseTo(1 / 3, 12)
    // Two of three: one each is the most even division, and that is what there was.
    expect(of.jainIndex).toBe(1)
    expect(recording.busy.values[0]).toBe(0.25)
  })
})
