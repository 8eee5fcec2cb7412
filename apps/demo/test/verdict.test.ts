import { describe, expect, it } from 'vitest'
import { noColour } from '../src/colour.js'
import { doubtsAbout } from '../src/doubts.js'
import { report } from '../src/report.js'
import { verdictOf } from '../src/verdict.js'
import { wrap } from '../src/wrap.js'
import { figuresOf } from './figures.js'

const quota = { ratePerSecond: 5, burst: 5 }
const verdict = (changes: Parameters<typeof figuresOf>[0]) => verdictOf([figuresOf(changes)], quota)[0]

describe('the verdict says what the figures say', () => {
  it.each([
    [{ failures: 15 }, 'plain fetch sent each call once and lost 15 of 20 calls.'],
    [
      { sends: 119, earlyKnocks: 99, failures: 6 },
      'plain fetch sent 99 repeats, all of them before the stated time, and lost 6 of 20 calls.',
    ],
    [
      { sends: 40, earlyKnocks: 3, failures: 1 },
      'plain fetch sent 20 repeats, 3 of them before the stated time, and lost 1 of 20 calls.',
    ],
    [
      { sends: 48, elapsedMs: 3650 },
      'plain fetch sent 28 repeats, none before the stated time, and got all 20 answers. ' +
        'Nobody can have them in less than 3.0 s at this quota; it took 3.6 s.',
    ],
    [{ calls: 1, sends: 1 }, 'plain fetch sent each call once and got its answer.'],
    [{ calls: 1, sends: 2, earlyKnocks: 1 }, 'plain fetch sent 1 repeat, before the stated time, and got its answer.'],
    [{ calls: 1, sends: 2 }, 'plain fetch sent 1 repeat, not before the stated time, and got its answer.'],
    [{ failures: 15, ifLost: 'Try this.' }, 'plain fetch sent each call once and lost 15 of 20 calls. Try this.'],
    [{ calls: 5, sends: 5, ifLost: 'Try this.' }, 'plain fetch sent each call once and got all 5 answers.'],
  ])('%o', (changes, expected) => {
    expect(verdict(changes)).toBe(expected)
  })
})

describe('figures that the gateway does not confirm', () => {
  it('are believed when both counts agree', () => {
    expect(doubtsAbout(figuresOf({ refusals: 15 }), { requests: 20, refusals: 15 })).toEqual([])
  })

  it.each([
    { requests: 19, refusals: 15 },
    { requests: 20, refusals: 14 },
  ])('are doubted when it saw %o', (server) => {
    expect(doubtsAbout(figuresOf({ refusals: 15 }), server)).toEqual([
      `plain fetch: 20 sends and 15 refusals (429) were counted here, ${server.requests} and ${server.refusals} by the gateway.`,
    ])
  })

  it('are doubted when calls were lost for another reason than the quota', () => {
    expect(doubtsAbout(figuresOf({ broken: 2, failures: 2 }), { requests: 20, refusals: 0 })).toEqual([
      'plain fetch: 2 calls ended with neither data nor a 429.',
    ])
  })

  it('get no verdict', () => {
    const told = report([figuresOf()], { quota, doubts: ['plain fetch: no.'], paint: noColour })
    expect(told).toContain('These figures are not to be trusted:\nplain fetch: no.')
    expect(told).not.toMatch(/counted the same|got all/)
  })
})

it('wraps between words, and leaves a word that is too long whole', () => {
  expect(wrap('one two three', 7)).toBe('one two\nthree')
  expect(wrap('a longer-than-that b', 7)).toBe('a\nlonger-than-that\nb')
})
