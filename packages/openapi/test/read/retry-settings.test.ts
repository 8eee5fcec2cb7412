import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { ApiDocument, RetrySettings } from '../../src/index.js'
import { read, withPaths } from './document.js'

const levels = (root: object, path: object, operation: object): Promise<ApiDocument> =>
  read(withPaths({ '/x': { ...path, get: { operationId: 'it', ...operation } } }, root))

const settings = async (root: object, path: object = {}, operation: object = {}): Promise<RetrySettings> =>
  (await (await levels(root, path, operation)).operation('it')).retry

describe('x-sluice-retry', () => {
  test('the operation over its path over the document, field by field', async () => {
    const of = (value: object): object => ({ 'x-sluice-retry': value })
    expect(
      await settings(
        of({ maxAttempts: 2, baseMs: 1, preset: 'github' }),
        of({ maxAttempts: 3, totalCapMs: 9 }),
        of({ maxAttempts: 4 }),
      ),
    ).toEqual({ maxAttempts: 4, baseMs: 1, preset: 'github', totalCapMs: 9 })
    expect(await settings({})).toEqual({})
  })

  const path = createRequire(import.meta.url).resolve('@sluice/spec/schema/x-sluice-retry.schema.json')
  const validate = new Ajv2020().compile(JSON.parse(readFileSync(path, 'utf8')))
  const values = [true, false, null, -1, 0, 0.5, 1, 2.5, 3, 1e9, '1', 'github', 'aws-json', 'awsJson', [], {}]
  const fields = [
    'disabled',
    'idempotent',
    'maxAttempts',
    'baseMs',
    'perAttemptCapMs',
    'totalCapMs',
    'preset',
    'max_attempts',
    '__proto__',
  ]
  const cases = [
    ...fields.flatMap((field) => values.map((value) => `{"${field}":${JSON.stringify(value)}}`)),
    '{}',
    '[]',
    'null',
    '1',
    'true',
  ]

  test('takes and refuses what the published schema takes and refuses', async () => {
    let refused = 0
    for (const written of cases) {
      const text = JSON.stringify(withPaths({ '/x': { get: {} } }, { 'x-sluice-retry': 'HERE' })).replace(
        '"HERE"',
        written,
      )
      const taken = await read(text).then(
        () => true,
        () => false,
      )
      expect([written, taken]).toEqual([written, validate(JSON.parse(written))])
      if (!taken) refused++
    }
    expect(refused).toBeGreaterThan(50)
    expect(refused).toBeLessThan(cases.length - 20)
  })

  test.each([
    [{ maxAttempts: 0 }, '#/x-sluice-retry/maxAttempts: maxAttempts must be an integer, 1 or more; got 0'],
    [{ max: 1 }, '#/x-sluice-retry/max: x-sluice-retry has no field max; it has disabled, idempotent, maxAttempts'],
    [
      { preset: 'x' },
      'preset must be one of interactive, background, disabled, github, stripe, openai, aws-json, shopify; got "x"',
    ],
    [5, '#/x-sluice-retry: x-sluice-retry must be an object; got 5'],
  ])('%j', async (value, message) => {
    await expect(levels({ 'x-sluice-retry': value }, {}, {})).rejects.toThrow(message)
  })
})

describe('x-speakeasy-retries', () => {
  const of = (value: unknown): object => ({ 'x-speakeasy-retries': value })
  const backoff = { initialInterval: 500, maxInterval: 60000, maxElapsedTime: 3600000, exponent: 2 }

  test('carried over, and none disables', async () => {
    const root = of({ strategy: 'backoff', backoff, statusCodes: [429, '5XX'], retryConnectionErrors: true })
    const carried = { baseMs: 500, perAttemptCapMs: 60000, totalCapMs: 3600000 }
    expect(await settings(root)).toEqual({ disabled: false, ...carried })
    expect(await settings(root, {}, of({ strategy: 'none' }))).toEqual({ disabled: true, ...carried })
    expect(await settings(of({ strategy: 'none' }), root)).toEqual({ disabled: false, ...carried })
  })

  test('x-sluice-retry at the same level has the only word there', async () => {
    expect(await settings({ ...of({ strategy: 'backoff', backoff }), 'x-sluice-retry': { maxAttempts: 2 } })).toEqual({
      maxAttempts: 2,
    })
  })

  test.each([
    [
      { strategy: 'backoff', backoff: { exponent: 1.5 } },
      '#/x-speakeasy-retries/backoff/exponent: waits double from one attempt to the next; the exponent 1.5 is not carried over.',
    ],
    [
      { strategy: 'backoff', statusCodes: [500, 502, 503, 504] },
      '#/x-speakeasy-retries/statusCodes: 429, 502, 503, 504 are retried; 500 cannot be added and 429 cannot be left out.',
    ],
    [
      { strategy: 'backoff', retryConnectionErrors: false },
      '#/x-speakeasy-retries/retryConnectionErrors: failed connections are retried where repeating is safe; that cannot be turned off alone.',
    ],
    [
      { strategy: 'backoff', backoff: { initialInterval: 'x' } },
      '#/x-speakeasy-retries/backoff/initialInterval: initialInterval must be whole milliseconds, 0 or more; got "x": it is left out.',
    ],
    [
      { strategy: 'backoff', backoff: 5 },
      '#/x-speakeasy-retries/backoff: backoff must be an object; got 5: it is left out.',
    ],
    [
      { strategy: 'spin' },
      '#/x-speakeasy-retries/strategy: strategy must be backoff or none; got "spin": the retries are left out.',
    ],
    [7, '#/x-speakeasy-retries: x-speakeasy-retries must be an object; got 7: it is left out.'],
    [{ strategy: 'backoff', backoff, statusCodes: ['429', 502, 503, 504] }, undefined],
  ])('%j', async (value, note) => {
    expect((await levels(of(value), {}, {})).notes).toEqual(note === undefined ? [] : [note])
  })
})
