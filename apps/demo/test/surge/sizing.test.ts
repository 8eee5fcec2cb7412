import { describe, expect, it } from 'vitest'
import { CALLERS, jobThreads, lightThreads, pauseFor, SLOTS, scaled } from '../../src/surge/sizing.js'

describe.each([1, 2, 4, 16, 64])('on %i processors', (cores) => {
  const threads = lightThreads(cores)

  it.each([15, 40, 200])(
    'the callers alone leave the engine air, and beside the job they fill every slot (%i ms)',
    (lightMs) => {
      const busy = (CALLERS * lightMs * threads) / (pauseFor(cores, lightMs) + 1.5 * lightMs) / cores
      expect(busy).toBeCloseTo(0.75)
      // What the job leaves them of the processors is less than they want, in eight slots as in four.
      const left = (slots: number) => (slots * threads) / (slots * threads + jobThreads(cores))
      expect(busy).toBeGreaterThan(left(SLOTS / 2))
      if (cores > 1) expect(busy).toBeGreaterThan(left(SLOTS))
    },
  )
})

it('scales by what a trial took, and asks for something in any case', () => {
  expect(scaled(2000, 20, 40)).toBe(4000)
  expect(scaled(2000, 1e9, 40)).toBe(1)
})
