import { background, disabled, github, interactive, type RetryPolicyOptions, retryPolicy } from '@sluice/core'
import { describe, expect, test } from 'vitest'

describe('R17: options are checked when built', () => {
  // Those that JSON can carry are rows of retry-cases.
  test.each([
    ['maxAttempts', Number.NaN, 'retryPolicy: maxAttempts must be an integer of at least 1; got NaN'],
    ['baseMs', Number.POSITIVE_INFINITY, 'retryPolicy: baseMs must be an integer of at least 0; got Infinity'],
    ['deadlineMs', Number.NaN, 'retryPolicy: deadlineMs must be an integer of at least 1, or null; got NaN'],
    ['totalCapMs', 2 ** 53, 'retryPolicy: totalCapMs must be an integer of at least 0; got 9007199254740992'],
    [
      'throttleStatuses',
      [429, 700],
      'retryPolicy: throttleStatuses must be a list of statuses from 100 to 599; got [429,700]',
    ],
    [
      'hints',
      ['retry-afer'],
      'retryPolicy: hints must be a list of retry-after-ms, retry-after, ratelimit, ratelimit-reset, x-ratelimit-reset; got ["retry-afer"]',
    ],
    ['retryTransientIdempotent', 'no', 'retryPolicy: retryTransientIdempotent must be true or false; got "no"'],
    ['classify', 'throttle', 'retryPolicy: classify must be a function or null; got "throttle"'],
    ['maxAttempt', 3, 'retryPolicy: maxAttempt must be left out: there is no such option; got 3'],
    ['constructor', 3, 'retryPolicy: constructor must be left out: there is no such option; got 3'],
    ['baseMs', 10n, 'retryPolicy: baseMs must be an integer of at least 0; got 10'],
  ])('%s: %s is refused by name and value', (field, value, message) => {
    const build = () => retryPolicy({ [field]: value } as RetryPolicyOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(expect.objectContaining({ message, field }))
  })

  test('a field that is undefined counts as not given', () => {
    expect(retryPolicy({ maxAttempts: undefined as unknown as number })).toEqual(retryPolicy())
  })
})

test('a policy is frozen, lists included, and does not follow the list it was made from', () => {
  const statuses = [429]
  const policy = retryPolicy({ throttleStatuses: statuses })
  statuses.push(503)
  expect(policy.throttleStatuses).toEqual([429])
  expect(Object.isFrozen(policy) && Object.isFrozen(policy.throttleStatuses)).toBe(true)
})

test('presets build on interactive, and a policy can build on a preset', () => {
  expect(interactive).toEqual(retryPolicy({ attemptTimeoutMs: 60_000, statedJitterMs: 250 }))
  expect(background).toEqual({ ...interactive, throttleBudgetMs: 30_000 })
  expect(disabled).toEqual({ ...interactive, maxAttempts: 1 })
  expect(retryPolicy({ perAttemptCapMs: 60_000 }, github)).toEqual({ ...github, perAttemptCapMs: 60_000 })
})
