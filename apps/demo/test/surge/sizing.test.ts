import { describe, expect, it } from 'vitest'
import { CALLERS, jobThreads, lightThreads, SLOTS, sizingFor } from '../../src/surge/sizing.js'

describe.each([1, 2, 4, 16, 64])('on %i processors', (cores) => {
  const threads = lightThreads(cores)

  it('the callers alone leave the engine air, and beside the job they fill every slot', () => {
    const { pauseMs } = sizingFor({ cores, lightMs: 20, jobMs: 100 }, 4000)
    const busy = (CALLERS * 40 * threads) / (pauseMs + 1.5 * 40) / cores
    expect(busy).toBeLessThan(0.9)
    // What the job leaves them of the processors is less than they want, in eight slots as in four.
    const left = (slots: number) => (slots * threads) / (slots * threads + jobThreads(cores))
    expect(busy).toBeGreaterThan(left(SLOTS / 2))
    if (cores > 1) expect(busy).toBeGreaterThan(left(SLOTS))
  })

  it('asks for as much as it takes to be that slow', () => {
    expect(sizingFor({ cores, lightMs: 20, jobMs: 100 }, 4000)).toMatchObject({
      lightThousands: 4000,
      jobThousands: 4_000_000,
    })
    expect(sizingFor({ cores, lightMs: 80_000_000, jobMs: 1e15 }, 1)).toMatchObject({
      lightThousands: 1,
      jobThousands: 1,
    })
  })
})
