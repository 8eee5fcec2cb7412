import { describe, expect, test } from 'vitest'
import { basePathsOf } from '../../src/generate/document/base-paths.js'
import { type PlannedOperation, rulesOf } from '../../src/generate/retry/plan.js'
import { writeRules } from '../../src/generate/retry/write-rules.js'
import { matcherOf } from '../../src/generate/runtime/matcher.js'
import type { RetrySettings } from '../../src/model/retry-settings.js'

const get = (path: string, settings: RetrySettings = {}, events = false): PlannedOperation => ({
  ...{ method: 'GET', path, settings, events },
})

describe('the table of operations', () => {
  test('is empty where all are alike', () => {
    const all = { maxAttempts: 6, preset: 'github', idempotent: true }
    expect(rulesOf(all, [get('/a', all), get('/b/{c}', all)])).toEqual([])
  })

  test('holds what could be mistaken for an operation that differs', () => {
    const rules = rulesOf({}, [
      get('/users/{id}', { maxAttempts: 1 }),
      get('/users/me'),
      get('/users'),
      get('/users/{id}/keys'),
      get('/{kind}/{id}'),
      { ...get('/users/me'), method: 'PUT' },
    ])
    expect(rules.map(({ path }) => path)).toEqual(['/users/{id}', '/users/me', '/{kind}/{id}'])
  })

  test.each<[string, RetrySettings, PlannedOperation, object]>([
    ['not idempotent although all are', { idempotent: true }, get('/a', {}), { idempotent: false }],
    [
      'retried although the others are not',
      { disabled: true, baseMs: 5 },
      get('/a', { disabled: false, baseMs: 5 }),
      { preset: 'interactive', fields: { baseMs: 5 } },
    ],
    [
      'a preset takes the fields of all with it',
      { baseMs: 5 },
      get('/a', { baseMs: 5, preset: 'stripe' }),
      { preset: 'stripe', fields: { baseMs: 5 } },
    ],
    ['a stream where all are disabled', { disabled: true }, get('/a', { disabled: true }, true), { once: true }],
  ])('%s', (_, all, operation, rule) => {
    expect(rulesOf(all, [operation])).toEqual([{ method: 'GET', path: '/a', ...rule }])
  })

  test('as code holds names and integers, and the document’s strings as literals', () => {
    const rules = rulesOf({}, [get('/a"\u2028`{x}', { preset: 'aws-json', maxAttempts: 2, baseMs: 7 })])
    const text = writeRules({ header: '//', all: { disabled: true, baseMs: 3 }, rules, basePaths: ['/v1', ''] })
    expect(text).toContain(`import { awsJson, disabled, type SluiceFetch } from '@sluice/fetch';`)
    expect(text).toContain('policy: disabled,')
    expect(text).toContain('basePaths: ["/v1", ""]')
    expect(text).toContain('path: "/a\\"\\u2028`{x}", preset: awsJson, fields: { maxAttempts: 2, baseMs: 7 } }')
  })
})

test('base paths are those of all servers, the longest first', () => {
  expect(
    basePathsOf(['https://a.example.com/v1/', '/', 'https://b.example.com/v1', 'http://[broken', '../up']),
  ).toEqual(['/up', '/v1', ''])
  expect(basePathsOf([])).toEqual([''])
})

describe('a request is matched', () => {
  const { find } = matcherOf(
    [
      '/users/{id}',
      '/users/me',
      '/{kind}/me',
      '/files/{name}.{ext}',
      '/files/{name}',
      '/a b/ü',
      '/x.y',
      '/cmp/{a}...{b}',
    ].map((path) => ({ method: 'GET', path })),
  )
  test.each([
    ['/users/me', '/users/me'],
    ['/users/7', '/users/{id}'],
    ['/users/{id}', '/users/{id}'],
    ['/groups/me', '/{kind}/me'],
    ['/files/a.txt', '/files/{name}.{ext}'],
    ['/files/a', '/files/{name}'],
    ['/a%20b/%C3%BC', '/a b/ü'],
    ['/cmp/main...dev', '/cmp/{a}...{b}'],
    ['/xzy', undefined],
    ['/users/7/8', undefined],
    ['/users/', undefined],
    ['/users/a%2Fb', '/users/{id}'],
  ])('%s → %s', (path, template) => {
    expect(find('GET', path)?.path).toBe(template)
    expect(find('POST', path)).toBeUndefined()
  })
})

test.each([':x/{id}', '@elsewhere/{id}', 'items/{id}'])(
  'a path without its slash (%s) is a path all the same',
  (path) => {
    const { find } = matcherOf([{ method: 'GET', path }])
    expect(find('GET', path)).toBeDefined()
    expect(find('GET', `/${path.replace('{id}', '7')}`)).toBeDefined()
    expect(find('GET', '/7')).toBeUndefined()
  },
)
