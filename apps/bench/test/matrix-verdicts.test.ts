import { describe, expect, it } from 'vitest'
import type { About, Choice } from '../src/matrix/client.js'
import type { Observation } from '../src/matrix/observation.js'
import { answer, type Probe } from '../src/matrix/probe.js'
import { verdictsOf } from '../src/matrix/verdicts.js'

const probe: Probe = {
  id: 'stated-post',
  rule: 'R1',
  group: '',
  title: '',
  method: 'POST',
  answers: [answer(429)],
  expect: 'comes-back',
}

const surfaced: Observation = {
  sends: [{ atMs: 0, method: 'POST', idempotencyKey: null, answer: '429', answeredAtMs: 1, notBeforeMs: 2001 }],
  end: { atMs: 3, status: 429, retryAfter: '2', body: null, error: null },
  abortedAtMs: null,
  untilMs: 4200,
  again: [],
}

const choice: Choice = {
  probes: ['stated-post'],
  finding: 'not-retried',
  says: 'Not on POST.',
  source: 'https://x.test',
}

const cell = (about: Partial<About>) => {
  const whole: About = { id: 'x', name: 'x', packages: [], docs: [], notes: [], choices: [], ...about }
  const seen = new Map([['stated-post', surfaced]])
  return verdictsOf({ about: whole, configuration: 'defaults', setup: '', seen, strays: [] }, [probe]).get(
    'stated-post',
  )
}

describe('what maintainers document', () => {
  it('turns a ✗ of that finding into a ~ with its source', () => {
    expect(cell({})?.mark).toBe('✗')
    expect(cell({ choices: [choice] })).toMatchObject({ mark: '~', source: 'https://x.test' })
  })

  it('excuses no other finding, row or configuration', () => {
    expect(cell({ choices: [{ ...choice, finding: 'early' }] })?.mark).toBe('✗')
    expect(cell({ choices: [{ ...choice, probes: ['stated-get'] }] })?.mark).toBe('✗')
    expect(cell({ choices: [{ ...choice, in: 'best' }] })?.mark).toBe('✗')
  })

  it('leaves out what says nothing about the client', () => {
    expect(cell({ notApplicable: [{ probes: ['stated-post'], why: 'No POST.' }] })).toMatchObject({
      mark: '–',
      says: 'No POST.',
    })
  })
})
