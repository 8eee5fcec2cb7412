import { systemClock } from '@sluice/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test('R18: a delay above 2^31 − 1 ms neither overflows nor fires early', () => {
  let fired = 0
  systemClock.timer(2 ** 32, () => fired++)
  vi.advanceTimersByTime(2 ** 32 - 1)
  expect(fired).toBe(0)
  vi.advanceTimersByTime(1)
  expect(fired).toBe(1)
})

test('R18: the longest stated wait never fires within a year', () => {
  let fired = 0
  const cancel = systemClock.timer(Number.MAX_SAFE_INTEGER, () => fired++)
  vi.advanceTimersByTime(365 * 86_400_000)
  expect(fired).toBe(0)
  cancel()
  expect(vi.getTimerCount()).toBe(0)
})

test('a timer that the platform fires early waits for the rest', () => {
  let fired = 0
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  systemClock.timer(100, () => fired++)
  now.mockReturnValue(99.5)
  vi.advanceTimersByTime(100)
  expect(fired).toBe(0)
  now.mockReturnValue(100.5)
  vi.advanceTimersByTime(1)
  expect(fired).toBe(1)
  now.mockRestore()
})

test('cancelling twice, or after it fired, does nothing', () => {
  let fired = 0
  const cancel = systemClock.timer(10, () => fired++)
  vi.advanceTimersByTime(10)
  cancel()
  cancel()
  expect(fired).toBe(1)
})
