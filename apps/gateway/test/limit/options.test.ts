import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config-error.js'
import { checkOptions } from '../../src/gateway-options.js'
import { readLatencyBackoff } from '../../src/limit/latency-backoff.js'
import type { GatewayLimitOptions } from '../../src/limit/limit-config.js'

const tokens = [{ name: 'ann', token: 'test-token-of-ann-0001' }]

describe('the kill switch SLUICE_LATENCY_BACKOFF', () => {
  it.each(['false', '0', 'no', 'off', 'OFF', ' False '])('switches off with %j', (word) => {
    expect(readLatencyBackoff(word)).toBe(false)
  })

  it.each([undefined, '', 'true', '1', 'yes', 'on'])('leaves it on with %j', (word) => {
    expect(readLatencyBackoff(word)).toBe(true)
  })

  it.each(['fasle', 'disabled', '2', 'null'])('refuses %j by its name', (word) => {
    const message = `environment: SLUICE_LATENCY_BACKOFF is "${word}"; write one of false, 0, no, off`
    expect(() => readLatencyBackoff(word)).toThrow(ConfigError)
    expect(() => readLatencyBackoff(word)).toThrow(message)
  })
})

describe('the options of the limit', () => {
  const check = (limit: GatewayLimitOptions, more: object = {}) => checkOptions({ tokens, limit, ...more })

  it('are those of the core, but as many at once as the engine has sessions', () => {
    const { sessions, limit } = check({})
    expect(sessions).toBe(8)
    expect(limit.limit).toMatchObject({ maxConcurrent: 8, floor: 4, maxQueue: 256, windowMs: 10_000, minSamples: 50 })
    expect(limit.limit).toMatchObject({ controller: 'knee', backoffRatio: 1.2, overdraftMs: 120_000 })
    expect(check({ controller: 'windowed' }).limit.limit).toMatchObject({ controller: 'windowed', backoffRatio: 1.4 })
    expect(check({}, { sessions: 3, maxWaiting: 5 }).limit.limit).toMatchObject({ maxConcurrent: 3, maxQueue: 5 })
  })

  it.each([
    [4, 8, 4],
    [35, 35, 35],
    [256, 256, 256],
  ])('with %i at once there are %i sessions', (maxConcurrent, sessions, most) => {
    const checked = check({ maxConcurrent })
    expect([checked.sessions, checked.limit.limit.maxConcurrent]).toEqual([sessions, most])
  })

  it('a pipe past the limit has a session more, and takes none of the slots', () => {
    const pipe = { name: 'job', description: 'For tests.', sql: 'SELECT 1', parameters: {} }
    const pipes = [
      { ...pipe, pastLimit: true },
      { ...pipe, name: 'other' },
    ]
    const { sessions, limit } = check({}, { pipes })
    expect([sessions, limit.limit.maxConcurrent]).toEqual([9, 8])
    const given = check({}, { pipes, sessions: 3 })
    expect([given.sessions, given.limit.limit.maxConcurrent]).toEqual([3, 3])
  })

  it.each<[object, string]>([
    [{ maxConcurrent: 0 }, 'options: limit.maxConcurrent must be an integer of at least 1; got 0'],
    [{ maxConcurrent: 1.5 }, 'options: limit.maxConcurrent must be an integer of at least 1; got 1.5'],
    [{ maxConcurrent: 257 }, 'options: limit.maxConcurrent is 257; it must be a whole number from 1 to 256'],
    [{ saved: {} }, 'options: limit.saved must be left out: there is no such option'],
    [{ controller: 'kneel' }, "options: limit.controller must be 'knee' or 'windowed'; got \"kneel\""],
    [{ overdraftMs: -1 }, 'options: limit.overdraftMs must be an integer of at least 0; got -1'],
    [{ windowMs: 0 }, 'options: limit.windowMs must be an integer of at least 1; got 0'],
    [{ expectedP90Ms: 0 }, 'options: limit.expectedP90Ms is 0; it must be a number of ms above 0'],
    [
      { windowMS: 5 },
      'options: limit.windowMS must be left out: there is no such option; there are controller, maxConcurrent',
    ],
  ])('refuse %j, naming the field', (limit, message) => {
    expect(() => check(limit)).toThrow(ConfigError)
    expect(() => check(limit)).toThrow(message)
  })

  it.each([null, 5, 'fast', [8]])('refuse %j in the place of all of them', (limit) => {
    const message = `options: limit is ${JSON.stringify(limit)}; it must be an object: { maxConcurrent: 8 }`
    expect(() => check(limit as unknown as GatewayLimitOptions)).toThrow(ConfigError) // as JavaScript may call it
    expect(() => check(limit as unknown as GatewayLimitOptions)).toThrow(message)
  })
})
