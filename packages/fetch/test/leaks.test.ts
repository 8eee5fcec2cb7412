import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Clock, createFetch, retryPolicy, systemClock } from '@sluice/fetch'
import { expect, test } from 'vitest'
import { serve } from './server.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void // what the flag adds

const heapMb = async (): Promise<number> => {
  for (let i = 0; i < 3; i++) {
    gc()
    await new Promise((resolve) => setTimeout(resolve, 5)) // finalizers run between turns
  }
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** The system's clock, and how many of its timers are set. */
const countingClock = () => {
  let pending = 0
  const clock: Clock = {
    ...systemClock,
    timer(ms, fire) {
      pending++
      let over = false
      const end = (): void => {
        if (!over) pending--
        over = true
      }
      const cancel = systemClock.timer(ms, () => {
        end()
        fire()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
  return { clock, pending: () => pending }
}

const TOGETHER = 100 // more of them at once cost the collector far more than they show

/** Every second call is throttled once; all share one long-lived signal. */
const manyCalls = async (count: number, signal: AbortSignal, clock: Clock, read: boolean): Promise<void> => {
  let sends = 0
  const fetch = createFetch({
    clock,
    policy: retryPolicy({ attemptTimeoutMs: 10_000, bodyIdleMs: 10_000 }),
    fetch: async () =>
      ++sends % 3 === 1 ? new Response('no', { status: 429, headers: { 'retry-after': '0' } }) : new Response('yes'),
  })
  for (let done = 0; done < count; done += TOGETHER) {
    const batch = Array.from({ length: TOGETHER }, async () => {
      const response = await fetch('http://service.test/', { signal })
      if (read) await response.text()
    })
    await Promise.all(batch)
  }
}

// A call that left its smallest object behind, some 40 bytes, would be seen: the heap ends 0.4 MB below its beginning.
test('20 000 calls leave no timer, no listener and a flat heap', { timeout: 180_000 }, async () => {
  const { signal } = new AbortController()
  const { clock, pending } = countingClock()
  await manyCalls(3000, signal, clock, true)
  const before = await heapMb()
  await manyCalls(17_000, signal, clock, true)
  expect(pending()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect((await heapMb()) - before).toBeLessThan(0.3)
})

test('many calls on one signal add one listener to it', async () => {
  const controller = new AbortController()
  const fetch = createFetch({ fetch: () => new Promise(() => {}) })
  const calls = Array.from({ length: 100 }, () => fetch('http://service.test/', { signal: controller.signal }))
  expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
  controller.abort('all')
  expect(await Promise.allSettled(calls)).toEqual(calls.map(() => ({ status: 'rejected', reason: 'all' })))
  expect(getEventListeners(controller.signal, 'abort').length).toBe(0)
})

test('responses that are dropped unread let go of the signal too', { timeout: 180_000 }, async () => {
  const { signal } = new AbortController()
  const { clock, pending } = countingClock()
  await manyCalls(2000, signal, clock, false)
  await heapMb()
  expect(getEventListeners(signal, 'abort').length).toBe(0)
  expect(pending()).toBe(0)
})

test('responses that are dropped unread let go of their connections, with a signal as without', {
  timeout: 180_000,
}, async () => {
  const server = await serve((_, response) => response.end('x'.repeat(2_000_000)))
  const { signal } = new AbortController()
  const fetch = createFetch()
  for (let i = 0; i < 40; i++) await fetch(server.url, { signal })
  for (let i = 0; i < 400 && server.open() > 20; i++) await heapMb()
  expect(server.open()).toBeLessThanOrEqual(20)
})
