import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { within } from '../src/within.js'

const late = new Error('too late')

describe('within', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('gives what the work gives, and leaves no timer behind', async () => {
    let signal: AbortSignal | undefined
    const done = within(1000, late, async (it) => {
      signal = it
      return 7
    })
    expect([await done, vi.getTimerCount()]).toEqual([7, 0])
    await expect(within(1000, late, () => Promise.reject(new RangeError('its own')))).rejects.toThrow('its own')
    expect([vi.getTimerCount(), signal?.aborted]).toEqual([0, false])
  })

  it('tells the work to stop once it takes too long, and waits for what it makes of that', async () => {
    const stopped = (signal: AbortSignal) =>
      new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))
    const done = within(1000, late, stopped)
    await vi.advanceTimersByTimeAsync(999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([await done, vi.getTimerCount()]).toEqual([late, 0])
  })

  it('tells it so too when another signal is aborted, with its reason, and forgets that one then', async () => {
    const outer = new AbortController()
    const removed = vi.spyOn(outer.signal, 'removeEventListener')
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const done = within(1000, late, work, outer.signal)
    outer.abort(new Error('nobody waits'))
    await expect(done).rejects.toThrow('nobody waits')
    expect([vi.getTimerCount(), removed.mock.calls.length]).toEqual([0, 1])
  })
})
