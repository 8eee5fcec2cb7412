import { describe, expect, it } from 'vitest'
import { documentProblems } from '../src/index.js'

const scenario = {
  ...{ id: 'short', number: 1, title: 'A minute', why: 'Tests need one.', duration_s: 60 },
  server: { discipline: 'fifo', cores: 2, queue: null, throttle: null, network_ms: 0 },
  work: [{ name: 'query', share: 1, mean_ms: 400, sigma: 0.5 }],
  load: { rate_per_second: 2, between: 'steps', points: [{ at_s: 0, factor: 1 }] },
  ...{ batch: null, faults: [{ at_s: 30, kind: 'speed', factor: 0.5 }] },
  client: { max_concurrent: 8, max_queue: 100, queue_timeout_ms: 100, policy: null, retry_budget: false, prior: null },
  ...{ phases: { all: { from_s: 0, to_s: 60 } }, targets: [] },
}
const problems = (change: object): string[] => documentProblems('simulation-scenario', { ...scenario, ...change })

describe('what is wrong with a document', () => {
  it('is nothing where it is sound', () => expect(problems({})).toEqual([]))

  it('is told by the field, what it is and what is allowed, all of it at once', () => {
    expect(problems({ duration_s: 0, more: 1 })).toEqual([
      expect.stringMatching(/^more is unknown; allowed: \$schema, id, number,/),
      'duration_s is 0; allowed: a number > 0',
    ])
    expect(documentProblems('simulation-scenario', [])).toEqual(['it is []; allowed: an object'])
  })

  it('of alternatives is told of the one that was meant alone', () => {
    expect(problems({ faults: [{ at_s: 1, kind: 'speed', factor: -1 }] })).toEqual([
      'faults[0].factor is -1; allowed: a number ≥ 0',
    ])
    expect(problems({ faults: [{ at_s: 1, kind: 'cores' }] })).toEqual([
      'faults[0].cores is missing; allowed: an integer ≥ 0',
    ])
  })

  it('of an alternative that there is not is told with all that there are', () => {
    expect(problems({ faults: [scenario.faults[0], { at_s: 1, kind: 'crush' }] })).toEqual([
      expect.stringMatching(/^faults\[1\]\.kind is "crush"; allowed: "cores", "speed", "work", /),
    ])
  })
})
