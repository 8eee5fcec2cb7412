import { describe, expect, it } from 'vitest'
import { Aimd } from '../src/controllers/peers/aimd.js'
import { ClientThrottling, rejectionProbability } from '../src/controllers/peers/client-throttling.js'
import { CubicRate, cubicRate } from '../src/controllers/peers/cubic-rate.js'
import { GradientProbes } from '../src/controllers/peers/gradient-probes.js'
import { Gradient2 } from '../src/controllers/peers/gradient2.js'
import { Vegas } from '../src/controllers/peers/vegas.js'
import { Stream } from '../src/random/stream.js'

const sample = (rttMs: number, inFlight: number, dropped = false) => ({ atMs: 0, rttMs, inFlight, dropped })

describe('a peer does what its own documentation shows', () => {
  it('the AWS SDKs: the cubic curve after a throttle at rate 10', () => {
    const published = [7, 9.64893600966, 10.000030849917364, 10.453284520772092, 13.408697022224185, 21.26626835427364]
    for (const [s, rate] of published.entries()) expect(cubicRate(10, s), `${s} s`).toBeCloseTo(rate, 12)
  })

  it('the AWS SDKs: measured rate and rate of the bucket, from a start to after a throttle', () => {
    const rate = new CubicRate()
    const seen = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6].map((atS) => {
      rate.update(atS === 2, atS)
      return [rate.measuredRate, rate.fillRate]
    })
    const published = [
      [0, 0.5],
      [0, 0.5],
      [4.8, 0.5],
      [4.8, 0.5],
      [4.16, 0.5],
      [4.16, 0.6912],
      [4.16, 1.0976],
      [5.632, 1.6384],
      [5.632, 2.3328],
      [4.3264, 3.02848],
      [4.3264, 3.48663917347026],
      [4.3264, 3.821874416040255],
      [5.66528, 4.053385727709987],
    ]
    for (const [at, [measured = 0, fill = 0]] of published.entries()) {
      expect(seen[at]?.[0], `measured, ${at}`).toBeCloseTo(measured, 10)
      expect(seen[at]?.[1], `fill, ${at}`).toBeCloseTo(fill, 10)
    }
  })

  it('Site Reliability Engineering: nothing is refused while half is accepted, and most where nothing is', () => {
    expect(rejectionProbability(100, 50, 2)).toBe(0)
    expect(rejectionProbability(100, 49, 2)).toBeCloseTo(2 / 101)
    expect(rejectionProbability(99, 0, 2)).toBe(0.99)
    const it_ = new ClientThrottling()
    for (let i = 0; i < 99; i++) it_.requested(i)
    expect(it_.rejects(100)).toBe(0.99)
    it_.accepted(100)
    expect(it_.rejects(100)).toBe(0.97)
    expect(it_.rejects(121_000)).toBe(0) // two minutes later nothing of it counts
  })

  it('AIMD: one up while half is in use, a tenth down for a drop or a late answer', () => {
    const it_ = new Aimd({ initialLimit: 20, minLimit: 10 })
    it_.sample(sample(100, 10))
    expect(it_.limit).toBe(21)
    it_.sample(sample(100, 10)) // less than half of 21
    expect(it_.limit).toBe(21)
    it_.sample(sample(0, 21, true))
    expect(it_.limit).toBe(18)
    it_.sample(sample(5001, 18))
    expect(it_.limit).toBe(16)
  })

  it('Vegas: grows fast without a queue, slowly with a small one, shrinks with a long one', () => {
    // The figures of its own test: initial limit 10; latencies 10, then 10, 14 … (alpha 3, beta 6).
    const it_ = new Vegas(new Stream(1, 'probes'), { initialLimit: 10, maxLimit: 20 })
    it_.sample(sample(10, 10)) // the shortest
    expect(it_.limit).toBe(10)
    it_.sample(sample(10, 11)) // a queue of 0
    expect(it_.limit).toBe(16)
    const large = new Vegas(new Stream(1, 'probes'), { initialLimit: 10_000, maxLimit: 20_000 })
    large.sample(sample(10_000, 5000))
    large.sample(sample(10_000, 6000))
    expect(large.limit).toBe(10_024)
    const small = new Vegas(new Stream(1, 'probes'), { initialLimit: 10, maxLimit: 20 })
    small.sample(sample(50, 10))
    small.sample(sample(60, 10)) // ceil(10 · (1 − 50 / 60)) = 2
    expect(small.limit).toBe(11)
    const long = new Vegas(new Stream(1, 'probes'), { initialLimit: 10, maxLimit: 20 })
    long.sample(sample(10, 10))
    long.sample(sample(50, 11)) // ceil(10 · (1 − 10 / 50)) = 8
    expect(long.limit).toBe(9)
    long.sample(sample(10, 9, true))
    expect(long.limit).toBe(8)
  })

  it('Gradient2: tolerates latency up to 1.5 times the average, and never takes less than half', () => {
    const it_ = new Gradient2({ initialLimit: 50, smoothing: 1, minLimit: 1 })
    for (let i = 0; i < 10; i++) it_.sample(sample(10, 50))
    expect(it_.limit).toBe(90) // four more each time while latency is what it was
    it_.sample(sample(10, 10)) // not in use: no reason to grow
    expect(it_.limit).toBe(90)
    it_.sample(sample(1000, 90))
    expect(it_.limit).toBe(49) // half, and the queue of 4
  })

  it('the gradient with probes: three in flight until fifty answers said how long it takes, then the root as headroom', () => {
    const it_ = new GradientProbes(new Stream(1, 'probes'))
    for (let i = 0; i < 49; i++) it_.sample({ atMs: i, rttMs: 10, inFlight: 3, dropped: false })
    expect(it_.limit).toBe(3)
    it_.sample({ atMs: 49, rttMs: 10, inFlight: 3, dropped: false })
    it_.sample({ atMs: 149, rttMs: 10, inFlight: 3, dropped: false })
    // gradient 12.5 / 10: 3.75, and its root
    expect(it_.limit).toBe(Math.floor(3.75 + Math.sqrt(3.75)))
    it_.sample({ atMs: 249, rttMs: 1000, inFlight: 5, dropped: false })
    const halved = (3.75 + Math.sqrt(3.75)) / 2
    expect(it_.limit).toBe(Math.floor(halved + Math.sqrt(halved)))
    it_.sample({ atMs: 60_049 + 9001, rttMs: 10, inFlight: 3, dropped: false }) // 60 s and 15 % at most
    expect(it_.limit).toBe(3)
  })
})
