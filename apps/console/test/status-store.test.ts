import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'
import { type Figure, KEPT_SECONDS } from '../src/status/history.js'
import { StatusStore } from '../src/status/status-store.js'
import { statusOf } from './statuses.js'

/** A store at 12:00:00 that is live and was told a status. */
function liveStore() {
  const clock = new VirtualClock(Date.parse('2026-01-01T12:00:00.000Z'))
  const store = new StatusStore(clock)
  const stop = store.start()
  store.setConnection({ kind: 'live' })
  store.setStatus(statusOf())
  const record = () => {
    const [only] = store.getSnapshot().records
    if (only === undefined) throw new Error('there is no node')
    return only
  }
  /** The last samples of a figure, oldest first. */
  const last = (figure: Figure, count: number) => record().history.figures[figure].slice(-count)
  return { clock, store, stop, record, last }
}

describe('the history', () => {
  test('has a sample a second of what was told last', async () => {
    const { clock, store, last, record } = liveStore()
    await clock.advance(2000)
    store.setStatus(statusOf({ limit: 6, latency_ceiling: 6, queued: 3 }))
    await clock.advance(1000)
    expect([last('limit', 4), last('queued', 4)]).toEqual([
      [null, 8, 8, 6],
      [null, 0, 0, 3],
    ])
    expect(record().history.times.slice(-2)).toEqual([1_767_268_802, 1_767_268_803])
  })

  test('knows nothing of the time without a connection', async () => {
    const { clock, store, last } = liveStore()
    await clock.advance(1000)
    store.setConnection({ kind: 'lost', message: 'No connection to the server' })
    await clock.advance(2000)
    store.setConnection({ kind: 'live' })
    await clock.advance(1000)
    expect(last('limit', 4)).toEqual([8, null, null, 8])
  })

  test('marks the second in which the gateway counted throttles', async () => {
    const { clock, store, last } = liveStore()
    store.setStatus(statusOf({ throttles: 3 }))
    store.setStatus(statusOf({ throttles: 5 }))
    await clock.advance(2000)
    store.setStatus(statusOf({ throttles: 6 }))
    await clock.advance(1000)
    expect(last('throttles', 3)).toEqual([5, 0, 1])
  })

  test('marks none that came without a connection, nor those of a gateway that was started again', async () => {
    const { clock, store, last } = liveStore()
    const reconnect = async () => {
      store.setConnection({ kind: 'lost', message: 'No connection to the server' })
      await clock.advance(1000)
      store.setConnection({ kind: 'live' })
    }
    await reconnect()
    store.setStatus(statusOf({ throttles: 7 }))
    await clock.advance(1000)
    await reconnect()
    store.setStatus(statusOf({ throttles: 2 }))
    await clock.advance(1000)
    store.setStatus(statusOf({ throttles: 3 }))
    await clock.advance(1000)
    expect(last('throttles', 5)).toEqual([null, 0, null, 0, 1])
    expect(store.getSnapshot().reconnections).toBe(2)
  })

  test('goes on when the clock is put back, and keeps what it has', async () => {
    const { clock, store, last, record } = liveStore()
    await clock.advance(1000)
    store.setStatus(statusOf({ limit: 6 }))
    await clock.advance(1000)
    const wallNow = clock.wallNow.bind(clock)
    clock.wallNow = () => wallNow() - 3_600_000
    await clock.advance(1000)
    store.setStatus(statusOf({ limit: 5 }))
    await clock.advance(1000)
    const second = clock.wallNow() / 1000
    expect([record().history.times.slice(-2), store.getSnapshot().second]).toEqual([[second - 1, second], second])
    expect(last('limit', 4)).toEqual([null, 8, 6, 5])
  })

  test('keeps ten minutes in the arrays that it began with, and knows nothing of a sleep', async () => {
    const { clock, store, record } = liveStore()
    const { times, figures } = record().history
    await clock.advance(700_000)
    expect([times.length, figures.limit.length]).toEqual([KEPT_SECONDS, KEPT_SECONDS])
    expect(figures.limit.every((value) => value === 8)).toBe(true)
    store.setStatus(statusOf({ limit: 7 }))
    const asleep = clock.wallNow() + 3_600_000
    clock.wallNow = () => asleep
    store.setStatus(statusOf({ limit: 5 }))
    expect([record().history.times === times, record().history.figures.limit === figures.limit]).toEqual([true, true])
    expect([times[0], times.at(-1), figures.limit.filter((value) => value !== null)]).toEqual([
      asleep / 1000 - 599,
      asleep / 1000,
      [],
    ])
  })

  test('learns from each status how far the gateway is ahead', async () => {
    const { clock, store } = liveStore()
    expect(store.getSnapshot().aheadMs).toBe(0)
    await clock.advance(1000)
    store.setStatus({ ...statusOf(), at: '2026-01-01T12:02:01.000Z' })
    expect(store.getSnapshot().aheadMs).toBe(120_000)
    store.setStatus({ ...statusOf(), at: '2026-01-01T10:00:01.000Z' })
    expect(store.getSnapshot().aheadMs).toBe(-7_200_000)
  })

  test('stops', async () => {
    const { clock, stop, record } = liveStore()
    stop()
    const { lastSecond } = record().history
    await clock.advance(5000)
    expect(record().history.lastSecond).toBe(lastSecond)
  })
})
