import { AdaptiveSemaphore, type LimitOptions, limitOptions } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, it } from 'vitest'
import type { NodeState } from '../../src/nodes/node.js'
import type { Body } from '../../src/server/contract.js'
import { conditionReader } from '../../src/status/read-status.js'
import { StatusFeed } from '../../src/status/status-feed.js'

function setup(options: LimitOptions = {}) {
  const clock = new VirtualClock()
  const all = limitOptions({ maxConcurrent: 4, windowMs: 1000, minSamples: 1, ...options })
  const limiter = new AdaptiveSemaphore({ ...all, clock, expectedP90Ms: 10 })
  const node: { name: string; state: NodeState } = { name: 'one', state: 'up' }
  const feed = new StatusFeed(
    conditionReader([{ node, limiter, limited: { pastLimit: 1, throttles: 2 }, options: all }], clock),
    clock,
  )
  return { clock, limiter, node, feed }
}

/** Reads a stream as fast as it comes. */
function follow(feed: StatusFeed) {
  const frames: string[] = []
  const reader = feed.follow().getReader()
  const decoder = new TextDecoder()
  let over = false
  const reading = (async () => {
    for (let it = await reader.read(); !it.done; it = await reader.read()) frames.push(decoder.decode(it.value))
    over = true
  })()
  const statuses = () =>
    frames
      .filter((it) => it.startsWith('event: status\n'))
      .map((it): Body['Status'] => JSON.parse(it.split('data: ')[1] ?? ''))
  return { frames, statuses, reading, isOver: () => over, leave: () => reader.cancel() }
}

describe('the status', () => {
  it('tells for each node every field of L15 in snake case', () => {
    const { feed } = setup()
    expect(feed.now()).toEqual({
      state: 'ok',
      at: '2026-01-01T00:00:00.000Z',
      nodes: [
        {
          name: 'one',
          state: 'up',
          limit: {
            ...{ limit: 4, throttle_ceiling: 4, latency_ceiling: 4, in_flight: 0, queued: 0 },
            ...{ past_limit: 1, throttles: 2 },
            ...{ p90_ms: null, smoothed_ms: null, baseline_ms: 10, ratio: null, baseline_trust: 'provisional' },
            ...{ shedding: false, overdraft_left_ms: 120_000 },
            ...{ hold_until: null, window_ms: 1000, max_concurrent: 4, controller: 'knee' },
          },
        },
      ],
      data_sources: [],
    })
  })

  it('follows the limiter: a slow window, a throttle, who is in flight and waits', async () => {
    const { clock, limiter, feed } = setup()
    limiter.report({ kind: 'success', latencyMs: 20 })
    await clock.advance(1000)
    for (let n = 0; n < 5; n++) void limiter.acquire().catch(() => undefined)
    // L18: nothing was in flight when it got slow, so that the ceiling is at its floor.
    const expected = { limit: 2, latency_ceiling: 2, p90_ms: 20, smoothed_ms: 20, in_flight: 2, queued: 3 }
    expect(feed.now().nodes[0]?.limit).toMatchObject(expected)
    limiter.report({ kind: 'throttle', retryAfterMs: 4000 })
    const throttled = { limit: 1, throttle_ceiling: 1, latency_ceiling: 2, hold_until: '2026-01-01T00:00:05.000Z' }
    expect(feed.now().nodes[0]?.limit).toMatchObject(throttled)
    await clock.advance(4000)
    expect(feed.now().nodes[0]?.limit.hold_until).toBeNull()
    limiter.dispose()
  })

  it.each([
    [['up'], 'ok'],
    [['up', 'up'], 'ok'],
    [['up', 'starting'], 'degraded'],
    [['up', 'down'], 'degraded'],
    [['starting'], 'down'],
    [['down', 'starting'], 'down'],
  ] as const)('of nodes that are %j is %s', (states, state) => {
    const clock = new VirtualClock()
    const limiter = new AdaptiveSemaphore({ clock })
    const options = limitOptions()
    const nodes = states.map((it, index) => ({
      node: { name: `n${index}`, state: it },
      limiter,
      limited: { pastLimit: 0, throttles: 0 },
      options,
    }))
    expect(conditionReader(nodes, clock)().state).toBe(state)
  })
})

describe('the stream of the status', () => {
  it('sends the whole status at once and at every change', async () => {
    const { clock, limiter, node, feed } = setup()
    const it = follow(feed)
    await clock.advance(1)
    expect(it.statuses()).toEqual([feed.now()].map((now) => ({ ...now, at: '2026-01-01T00:00:00.000Z' })))
    await clock.advance(5000)
    expect(it.frames).toHaveLength(1) // nothing changed
    const slot = await limiter.acquire()
    await clock.advance(250)
    slot.release()
    await clock.advance(250)
    node.state = 'starting'
    await clock.advance(250)
    expect(it.statuses().map((now) => [now.state, now.nodes[0]?.limit.in_flight])).toEqual([
      ['ok', 0],
      ['ok', 1],
      ['ok', 0],
      ['down', 0],
    ])
    await it.leave()
  })

  it('counts what only time brings: the end of a window, a limit that recovers', async () => {
    const { clock, limiter, feed } = setup()
    const it = follow(feed)
    await clock.advance(500)
    limiter.report({ kind: 'success', latencyMs: 20 })
    await clock.advance(499)
    expect(it.frames).toHaveLength(1)
    await clock.advance(251) // and nobody asks for a slot
    expect(it.statuses().at(-1)?.nodes[0]?.limit).toMatchObject({ limit: 2, p90_ms: 20 })
    limiter.report({ kind: 'throttle', retryAfterMs: null })
    await clock.advance(10_000)
    expect(it.statuses().map((now) => now.nodes[0]?.limit.throttle_ceiling)).toEqual([4, 4, 1, 2, 3, 4])
    await it.leave()
  })

  it('is told at most four times a second, however much changes', async () => {
    const { clock, limiter, feed } = setup()
    const it = follow(feed)
    for (let n = 0; n < 200; n++) {
      void limiter.acquire().catch(() => undefined)
      await clock.advance(10)
    }
    expect(it.frames.length).toBeGreaterThan(4)
    expect(it.frames.length).toBeLessThanOrEqual(1 + 2 * 4)
    limiter.dispose()
    await it.leave()
  })

  it('carries a comment after each 15 s without a word', async () => {
    const { clock, feed } = setup()
    const it = follow(feed)
    await clock.advance(14_900)
    expect(it.frames).toHaveLength(1)
    await clock.advance(30_600)
    expect(it.frames.slice(1)).toEqual([': still here\n\n', ': still here\n\n', ': still here\n\n'])
    await it.leave()
  })

  it('gives one that reads slowly the latest status, not all that it missed', async () => {
    const { clock, node, feed } = setup()
    const reader = feed.follow().getReader()
    await clock.advance(1)
    for (const state of ['starting', 'down', 'up', 'down'] as const) {
      node.state = state
      await clock.advance(300)
    }
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toContain('"state":"down","at":"2026-01-01T00:00:01')
    let more = false
    void reader.read().then(() => {
      more = true
    })
    await clock.advance(5000)
    expect(more).toBe(false)
    await reader.cancel()
  })

  it('leaves no timer when the last one has left, and shows a newcomer the present', async () => {
    const { clock, node, feed } = setup()
    const [one, two] = [follow(feed), follow(feed)]
    await clock.advance(1000)
    await one.leave()
    expect(clock.pending()).toBe(1)
    await two.leave()
    expect(clock.pending()).toBe(0)
    node.state = 'down'
    await clock.advance(60_000)
    const three = follow(feed)
    await clock.advance(1)
    expect(three.statuses()).toMatchObject([{ state: 'down', at: '2026-01-01T00:01:01.000Z' }])
    await three.leave()
  })

  it('tells once that a stream has ended, whichever side ended it', async () => {
    const { feed } = setup()
    const left = [0, 0, 0]
    const onLeave = (i: number) => () => {
      left[i] = (left[i] ?? 0) + 1
    }
    const [one, two] = [feed.follow(onLeave(0)), feed.follow(onLeave(1))]
    await one.cancel()
    expect(left).toEqual([1, 0, 0])
    feed.close()
    await two.cancel()
    await feed.follow(onLeave(2)).cancel()
    expect(left).toEqual([1, 1, 1])
  })

  it('ends when the gateway closes, for who comes later too', async () => {
    const { clock, feed } = setup()
    const it = follow(feed)
    await clock.advance(1)
    feed.close()
    await it.reading
    const late = follow(feed)
    await late.reading
    expect([it.isOver(), it.frames.length, late.frames.length]).toEqual([true, 1, 0])
    expect(clock.pending()).toBe(0)
  })
})
