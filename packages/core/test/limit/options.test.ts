import { AdaptiveSemaphore, type AdaptiveSemaphoreOptions, Limiters, limitOptions } from '@sluice/core'
import { expect, test } from 'vitest'

test.each<[AdaptiveSemaphoreOptions, string, string]>([
  [{ maxConcurrent: 0 }, 'maxConcurrent', 'maxConcurrent must be an integer of at least 1; got 0'],
  [{ maxConcurrent: 2.5 }, 'maxConcurrent', 'maxConcurrent must be an integer of at least 1; got 2.5'],
  [{ floor: 36 }, 'floor', 'floor must be an integer from 1 to maxConcurrent (35), or null; got 36'],
  [{ controller: 'kneel' as 'knee' }, 'controller', "controller must be 'knee' or 'windowed'; got \"kneel\""],
  [{ overdraftMs: -1 }, 'overdraftMs', 'overdraftMs must be an integer of at least 0; got -1'],
  [{ smoothingSamples: 0.5 }, 'smoothingSamples', 'smoothingSamples must be an integer of at least 0; got 0.5'],
  [{ backoffRatio: 1.05 }, 'backoffRatio', 'backoffRatio must be a number of at least recoveryRatio (1.1); got 1.05'],
  [
    { controller: 'windowed', backoffRatio: 1.1 },
    'backoffRatio',
    'backoffRatio must be a number of at least recoveryRatio (1.2); got 1.1',
  ],
  [{ recoveryRatio: 0.9 }, 'recoveryRatio', 'recoveryRatio must be a number of at least 1; got 0.9'],
  [{ decreaseFactor: 1 }, 'decreaseFactor', 'decreaseFactor must be a number between 0 and 1; got 1'],
  [
    { smoothingTimeConstantMs: 0 },
    'smoothingTimeConstantMs',
    'smoothingTimeConstantMs must be a number above 0; got 0',
  ],
  [{ maxQueue: Number.POSITIVE_INFINITY }, 'maxQueue', 'maxQueue must be an integer of at least 0; got Infinity'],
  [{ maxHoldMs: -1 }, 'maxHoldMs', 'maxHoldMs must be an integer of at least 0; got -1'],
])('%j is refused when the limiter is made', (options, field, message) => {
  expect(() => new AdaptiveSemaphore(options)).toThrow(
    expect.objectContaining({ name: 'TypeError', field, message: `AdaptiveSemaphore: ${message}` }),
  )
})

test('an unknown option and one of the wrong type are named', () => {
  // As JavaScript would hand them in.
  const wrong = (options: unknown) => () => new AdaptiveSemaphore(options as AdaptiveSemaphoreOptions)
  expect(wrong({ maxConcurent: 3 })).toThrow(
    /maxConcurent must be left out: there is no such option; there are controller, max/,
  )
  expect(wrong({ shadow: 'yes' })).toThrow('AdaptiveSemaphore: shadow must be true or false; got "yes"')
  expect(() => limitOptions('35' as never)).toThrow('limitOptions: options must be an object; got "35"')
})

test('undefined counts as not given, and the result is complete and frozen', () => {
  const options = limitOptions({ maxConcurrent: 9, floor: undefined })
  expect(options).toMatchObject({ maxConcurrent: 9, floor: 4, maxQueue: 500, queueTimeoutMs: 10_000 })
  expect(Object.isFrozen(options)).toBe(true)
})

test('the two controllers have defaults of their own, and what is given goes before them', () => {
  const own = { smoothingTimeConstantMs: 20_000, smoothingSamples: 1200, backoffRatio: 1.2, recoveryRatio: 1.1 }
  expect(limitOptions()).toMatchObject({ controller: 'knee', overdraftMs: 120_000, ...own })
  expect(limitOptions({ controller: 'knee' })).toEqual(limitOptions())
  const seed = { smoothingTimeConstantMs: 60_000, smoothingSamples: 0, backoffRatio: 1.4, recoveryRatio: 1.2 }
  expect(limitOptions({ controller: 'windowed' })).toEqual({ ...limitOptions(), controller: 'windowed', ...seed })
  expect(limitOptions({ controller: 'windowed', backoffRatio: 1.3 })).toMatchObject({ ...seed, backoffRatio: 1.3 })
})

test('a registry checks its own', () => {
  expect(() => new Limiters({ idleMs: 0 })).toThrow('Limiters: idleMs must be an integer of at least 1; got 0')
  expect(() => new Limiters({ limit: 35 as never })).toThrow('Limiters: limit must be an object or a function; got 35')
})
