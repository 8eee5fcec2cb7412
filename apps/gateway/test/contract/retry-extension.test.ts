import { readFileSync } from 'node:fs'
import { schemas } from '@sluice/spec'
import { describe, expect, it } from 'vitest'
import { faultsOf } from './faults.js'

const schema = JSON.parse(readFileSync(schemas['x-sluice-retry'], 'utf8'))
const policySchema = JSON.parse(readFileSync(new URL('policy.schema.json', schemas['x-sluice-retry']), 'utf8'))

describe('x-sluice-retry.schema.json', () => {
  it.each([
    [{}],
    [{ disabled: true }],
    [{ disabled: false, idempotent: true }],
    [{ maxAttempts: 1, baseMs: 0, perAttemptCapMs: 0, totalCapMs: 0 }],
    [{ baseMs: 0, preset: 'aws-json' }],
    ...schema.examples.map((example: unknown) => [example]),
  ])('takes %j', (settings) => {
    expect(faultsOf(schema, settings)).toEqual([])
  })

  it.each([
    [{ maxAttempts: 0 }, '/maxAttempts must be >= 1'],
    [{ maxAttempts: 1.5 }, '/maxAttempts must be integer'],
    [{ baseMs: 0.5 }, '/baseMs must be integer'],
    [{ maxAttempts: '3' }, '/maxAttempts must be integer'],
    [{ baseMs: -1 }, '/baseMs must be >= 0'],
    [{ perAttemptCapMs: null }, '/perAttemptCapMs must be integer'],
    [{ totalCapMs: '5s' }, '/totalCapMs must be integer'],
    [{ disabled: 'true' }, '/disabled must be boolean'],
    [{ idempotent: 1 }, '/idempotent must be boolean'],
    [{ preset: 'eager' }, '/preset must be equal to one of the allowed values'],
    [{ max_attempts: 3 }, '(all of it) must NOT have additional properties'],
    [true, '(all of it) must be object'],
    [[], '(all of it) must be object'],
    [null, '(all of it) must be object'],
  ])('refuses %j', (settings, fault) => {
    expect(faultsOf(schema, settings)).toEqual([fault])
  })

  it('knows the presets that a policy knows', () => {
    expect(schema.properties.preset.enum).toEqual(policySchema.properties.preset.enum)
  })
})
