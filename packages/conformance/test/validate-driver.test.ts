import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type DriverCheck, validateDriver } from '../src/driver.js'
import { realClock } from './real-clock.js'

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/drivers/${name}`, import.meta.url))
const check = (name: string, ...args: string[]): Promise<DriverCheck> =>
  validateDriver({ command: process.execPath, args: [fixture(name), ...args], clock: realClock, timeoutMs: 1_500 })
const said = ({ findings }: DriverCheck): string[] =>
  findings.map(({ level, says }) => `${level}: ${says.split('\n')[0]}`)

describe('validateDriver', { timeout: 30_000 }, () => {
  it('finds nothing wrong with a driver that speaks well, whatever it answers', async () => {
    const good = await check('small.mjs')
    expect(said(good)).toEqual([])
    expect(good.driver).toMatchObject({ name: 'small' })
  })

  it('says what is wrong in sentences, each found by itself', async () => {
    expect(said(await check('careless.mjs'))).toEqual([
      'advice: No case needs the feature "hint"; there are attempt-timeout, classify, deadline, events, hints, knee, limiter, presets, prior, restart, retry-budget, shadow, throttle-budget.',
      'must: Asked retry-cases/r1-throttle-get, it did not tell retry.',
      'must: Asked a case with fields that it does not know, it answered retry-cases/r1-throttle-get wrongly: error is 7; allowed: a sentence that says why.',
      'must: After a command that it does not know it exited with code 4, and did not answer retry-cases/r1-throttle-get (seq 1). It should be ignored.',
      'must: Asked retry-cases/r1-throttle-get twice, it answered {"actual":{"retry":true,"wait_ms":1}} and then {"actual":{"retry":true,"wait_ms":5}}; cases must not touch each other.',
      'must: After bye it exited with code 5; the code must be 0.',
      'advice: When its input ended without a bye it said nothing for 2000 ms; let it exit: it would outlive a runner that was killed.',
      'advice: After an empty line and one that is no JSON it exited with code 6, and did not answer retry-cases/r1-throttle-get (seq 1). It should be ignored.',
    ])
  })

  it.each([
    ['silent', 'must: After hello it said nothing for 1500 ms.'],
    ['banner', 'must: After hello it printed a line that is no JSON object: "Welcome to the driver"; '],
    ['protocol-2', 'must: It speaks protocol 2, and this runner speaks 1.'],
    ['dies-at-hello', 'must: After hello it exited with code 9.'],
  ])('stops where there is no introduction: %s', async (how, sentence) => {
    const found = await check('misbehaving.mjs', how)
    expect(found.driver).toBeNull()
    expect(said(found)).toEqual([expect.stringMatching(new RegExp(`^${sentence.replace(/[.*]/g, '\\$&')}`))])
  })

  it('hears of an answer that comes twice, and quotes stderr', async () => {
    const twice = said(await check('misbehaving.mjs', 'twice'))
    expect(twice).toContain('must: Asked many cases at once, it answered seq 999969 twice.')
    const { findings } = await check('misbehaving.mjs', 'crash')
    expect(findings.find(({ says }) => says.includes('exited with code 1'))?.says).toMatch(
      /\n {2}ZeroDivisionError: division by zero$/,
    )
  })

  it('a driver that announces nothing it can be asked is told so', async () => {
    expect(said(await check('small.mjs', '{"suites":["retry"]}'))).toEqual([
      'must: It announces no suite that there is, so nothing would be run; there are retry-cases, call-scenarios, backoff-scenarios, ingest-scenarios, wire.',
    ])
  })

  it('a program that is not there', async () => {
    const found = await validateDriver({ command: 'no-such-program-here', clock: realClock })
    expect(said(found)).toEqual(['must: After hello it cannot be started: spawn no-such-program-here ENOENT.'])
  })
})
