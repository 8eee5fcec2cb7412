import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../src/random/normal.js'
import { philoxWords } from '../src/random/philox.js'
import { Stream } from '../src/random/stream.js'

describe('random numbers', () => {
  it('are those of Philox2x32-10 as it was published', () => {
    // Random123's known answers.
    expect(philoxWords(0, 0, 0)).toEqual([0xff1dae59, 0x6cd10df2])
    expect(philoxWords(0xffffffff, 0xffffffff, 0xffffffff)).toEqual([0x2c3f628b, 0xab4fd7ad])
    expect(philoxWords(0x13198a2e, 0x243f6a88, 0x85a308d3)).toEqual([0xdd7ce038, 0xf62a4c12])
  })

  it('have the quantiles that AS 241 states for itself', () => {
    expect(normalQuantile(0.25)).toBeCloseTo(-0.6744897501960817, 15)
    expect(normalQuantile(0.001)).toBeCloseTo(-3.090232306167813, 14)
    expect(normalQuantile(1e-20)).toBeCloseTo(-9.262340089798409, 13)
    expect(normalQuantile(0.5)).toBe(0)
  })

  it('have the mean and the spread that were asked for', () => {
    const stream = new Stream(1, 'sizes')
    const n = 200_000
    const logs: number[] = []
    let sum = 0
    for (let i = 0; i < n; i++) {
      const x = stream.lognormal(400, 0.8)
      sum += x
      logs.push(Math.log(x))
    }
    const mean = logs.reduce((a, b) => a + b) / n
    const sigma = Math.sqrt(logs.reduce((a, b) => a + (b - mean) ** 2, 0) / n)
    expect(sum / n).toBeGreaterThan(396)
    expect(sum / n).toBeLessThan(404)
    expect(sigma).toBeCloseTo(0.8, 2)
  })

  it('are the same for the same seed and name, and others for another', () => {
    const draw = (seed: number, name: string) => {
      const stream = new Stream(seed, name)
      return [stream.next(), stream.next(), stream.next()]
    }
    expect(draw(7, 'sizes')).toEqual(draw(7, 'sizes'))
    expect(draw(7, 'sizes')).not.toEqual(draw(8, 'sizes'))
    expect(draw(7, 'sizes')).not.toEqual(draw(7, 'arrivals'))
    expect(Math.min(...draw(7, 'sizes'))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...draw(7, 'sizes'))).toBeLessThan(1)
  })
})
