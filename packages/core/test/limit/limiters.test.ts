import { execute, Limiters } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { expect, test } from 'vitest'

test('L10: one limiter an origin', () => {
  const limiters = new Limiters()
  const one = limiters.forUrl('https://a.test/x?y#z')
  expect(limiters.forUrl(new URL('https://a.test:443/other'))).toBe(one)
  expect(limiters.forUrl('http://a.test/x')).not.toBe(one)
  expect(limiters.for('https://a.test')).toBe(one)
  expect([...limiters].map(([key]) => key)).toEqual(['http://a.test', 'https://a.test'])
  expect(() => limiters.forUrl('/relative')).toThrow(TypeError)
})

test('options are shared, or asked for by key', () => {
  const shared = new Limiters({ limit: { maxConcurrent: 3 } })
  expect(shared.for('a').snapshot().limit).toBe(3)
  const byKey = new Limiters({ limit: (key) => ({ maxConcurrent: key === 'big' ? 99 : 1 }) })
  expect([byKey.for('big').snapshot().limit, byKey.for('small').snapshot().limit]).toEqual([99, 1])
})

test('what nobody asked for in so long is forgotten; what is in use is not', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, idleMs: 1000 })
  const used = limiters.for('used')
  const slot = await used.acquire()
  const held = limiters.for('held')
  held.report({ kind: 'throttle', retryAfterMs: 60_000 })
  const idle = limiters.for('idle')
  await clock.advance(1001)
  for (let i = 0; i < 5; i++) limiters.for('other')
  expect(limiters.size).toBe(3)
  expect([limiters.for('used') === used, limiters.for('held') === held]).toEqual([true, true])
  expect(limiters.for('idle')).not.toBe(idle)
  slot.release()
  await clock.advance(1001)
  for (let i = 0; i < 5; i++) limiters.for('other')
  expect(limiters.for('used')).not.toBe(used)
})

test('one that is forgotten while a call waits for its retry serves that retry', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, maxKeys: 1 })
  const limiter = limiters.for('a')
  let sends = 0
  const operation = async (): Promise<string> => {
    if (sends++ === 0) throw Object.assign(new Error('unavailable'), { status: 503, headers: { 'retry-after': '5' } })
    return 'ok'
  }
  const call = execute(operation, { limiter, clock, idempotent: true, random: () => 0 })
  await clock.advance(1000)
  limiters.for('b')
  await clock.advance(1)
  limiters.for('b')
  expect([...limiters].map(([key]) => key)).toEqual(['b'])
  await clock.advance(5000)
  expect([await call, sends]).toEqual(['ok', 2])
})

test.each([true, false])(
  'L15: what one told that is then forgotten is heard, unless the listener has ended: %s',
  async (ends) => {
    const clock = new VirtualClock()
    const limiters = new Limiters({ clock, maxKeys: 1 })
    const told: string[] = []
    const end = limiters.subscribe((_, key) => told.push(key))
    const limiter = limiters.for('a')
    await clock.advance(1)
    limiter.report({ kind: 'throttle', retryAfterMs: null })
    limiters.for('b') // takes its place
    if (ends) end()
    await clock.advance(0)
    expect([limiters.size, told]).toEqual([1, ends ? [] : ['a']])
  },
)

test('dispose reaches one that was forgotten while a call of it goes on', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, maxKeys: 1, limit: { maxConcurrent: 1 } })
  const limiter = limiters.for('a')
  for (const key of ['b', 'b']) {
    await clock.advance(1)
    limiters.for(key)
  }
  const slot = await limiter.acquire()
  const waiting = limiter.acquire().catch((error: Error) => error.name)
  limiters.dispose()
  expect([await waiting, clock.pending()]).toEqual(['LimiterDisposedError', 0])
  slot.release()
})

test('above the most keys the one unused for longest goes', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, maxKeys: 3 })
  const first = limiters.for('a')
  for (const key of ['b', 'c', 'a', 'd']) {
    await clock.advance(1)
    limiters.for(key)
  }
  expect([...limiters].map(([key]) => key)).toEqual(['c', 'a', 'd'])
  expect(limiters.for('a')).toBe(first)
})

// The bound is there for a search through all keys at each new one, which takes many minutes.
test('a hundred thousand keys cost the same as a few, each', { timeout: 60_000 }, () => {
  const limiters = new Limiters({ maxKeys: 50_000 })
  for (let i = 0; i < 100_000; i++) limiters.for(`https://${i}.test`)
  expect(limiters.size).toBeLessThanOrEqual(50_001)
})

test('L15: who listens to all of them is told the key, also of those that are made later', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, idleMs: 100_000 })
  const told: unknown[] = []
  const end = limiters.subscribe(({ type }, key) => told.push([key, type]), { status: true })
  const changes: unknown[] = []
  limiters.for('a')
  limiters.subscribe(({ type }, key) => changes.push([key, type]))
  limiters.for('b').report({ kind: 'throttle', retryAfterMs: null })
  await clock.advance(10_000)
  for (const key of ['a', 'b']) limiters.for(key).snapshot()
  await clock.advance(0)
  expect(told).toEqual([['b', 'throttle_backoff'], ['a', 'status'], ['b', 'status']]) // biome-ignore format: short
  expect(changes).toEqual([['b', 'throttle_backoff']])
  end()
  limiters.for('b').report({ kind: 'throttle', retryAfterMs: null })
  const forgotten = limiters.for('a')
  await clock.advance(100_001)
  for (let i = 0; i < 5; i++) limiters.for('c')
  expect(limiters.for('a')).not.toBe(forgotten)
  forgotten.report({ kind: 'throttle', retryAfterMs: null }) // is none of them any more
  await clock.advance(0)
  expect(told).toHaveLength(3)
  expect(changes.slice(1)).toEqual([['b', 'throttle_backoff'], ['b', 'throttle_recovery']]) // biome-ignore format: short
})

test('dispose() ends them all', async () => {
  const clock = new VirtualClock()
  const limiters = new Limiters({ clock, limit: { maxConcurrent: 1 } })
  await limiters.for('a').acquire()
  const waiting = limiters.for('a').acquire()
  limiters.dispose()
  await expect(waiting).rejects.toMatchObject({ name: 'LimiterDisposedError' })
  expect([limiters.size, clock.pending()]).toEqual([0, 0])
})
