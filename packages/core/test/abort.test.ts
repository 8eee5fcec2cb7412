import { execute, type GiveUpEvent, retryPolicy } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'

/** Whether a promise has settled by the end of the current tick. */
const settledNow = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

const throttled = (): Error => Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '5' } })

describe('R11: abort', () => {
  test('before the call: nothing is sent', async () => {
    const reason = { my: 'reason' }
    let sends = 0
    const call = execute(() => ++sends, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(sends).toBe(0)
  })

  test('in flight: rejects within a tick, even where the operation ignores its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    const call = execute(() => new Promise(() => {}), { signal: controller.signal, clock: new VirtualClock() })
    expect(await settledNow(call)).toBe(false)
    controller.abort(reason)
    expect(await settledNow(call)).toBe(true)
    await expect(call).rejects.toBe(reason)
  })

  test('in the wait: rejects within a tick, clears the timer and tells the last failure', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    const events: GiveUpEvent[] = []
    let sends = 0
    const operation = () => {
      sends++
      throw throttled()
    }
    const call = execute(operation, { clock, signal: controller.signal, onGiveUp: (event) => events.push(event) })
    call.catch(() => {})
    await clock.advance(2000)
    expect(clock.pending()).toBe(1)
    controller.abort('enough')
    expect(await settledNow(call)).toBe(true)
    await expect(call).rejects.toBe('enough')
    expect({ sends, timers: clock.pending() }).toEqual({ sends: 1, timers: 0 })
    expect(events).toMatchObject([
      { reason: 'aborted', attempts: 1, waitedMs: 2000, retryAfterMs: null, failure: { kind: 'status', status: 429 } },
    ])
  })

  test('while a failure is classified: rejects within a tick', async () => {
    const controller = new AbortController()
    const policy = retryPolicy({ classify: () => new Promise(() => {}) })
    const operation = () => Promise.reject(throttled())
    const call = execute(operation, { policy, signal: controller.signal, clock: new VirtualClock() })
    expect(await settledNow(call)).toBe(false)
    controller.abort('enough')
    expect(await settledNow(call)).toBe(true)
    await expect(call).rejects.toBe('enough')
  })

  test('the operation hears of it through its own signal', async () => {
    const controller = new AbortController()
    let heard: unknown
    const operation = ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          heard = signal.reason
          reject(new Error('its own words'))
        })
      })
    const call = execute(operation, { signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(heard).toBe('enough')
  })

  test('what the operation answers too late is let go of', async () => {
    const controller = new AbortController()
    const released: string[] = []
    let answer: (value: string) => void = () => {}
    const operation = () => new Promise<string>((resolve) => (answer = resolve))
    const call = execute(operation, { signal: controller.signal, release: (value) => void released.push(value) })
    call.catch(() => {})
    await Promise.resolve()
    controller.abort()
    answer('late')
    await expect(call).rejects.toBe(controller.signal.reason)
    expect(released).toEqual(['late'])
  })
})

test('a caller who aborts from onRetry is obeyed, and nothing more is sent', async () => {
  const clock = new VirtualClock()
  const controller = new AbortController()
  let sends = 0
  const operation = () => {
    sends++
    throw throttled()
  }
  const call = execute(operation, { clock, signal: controller.signal, onRetry: () => controller.abort('no') })
  await expect(clock.run(call)).rejects.toBe('no')
  expect(sends).toBe(1)
})
