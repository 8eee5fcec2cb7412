import type { Pipe } from '@sluice/gateway'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type RunningGateway, run } from './running-gateway.js'

const pipe = (name: string, sql: string): Pipe => ({ name, sql, description: 'For tests.', parameters: {} })
const pipes = [
  pipe('light', 'SELECT sum(cityHash64(number)) AS s FROM numbers(300000) SETTINGS max_threads = 1'),
  pipe('heavy', 'SELECT sum(cityHash64(number)) AS s FROM numbers_mt(1000000000000) SETTINGS max_threads = 4'),
]
/** The real machine has other things to do as well: few samples, and one slow window, have to be enough here. */
const limit = { maxConcurrent: 8, windowMs: 1000, minSamples: 3, smoothingTimeConstantMs: 1000, smoothingSamples: 0 }

describe('an engine that answers slowly, and never with 429', () => {
  const gateways: RunningGateway[] = []
  afterEach(() => Promise.all(gateways.splice(0).map((it) => it.close())))

  async function start(own: object): Promise<RunningGateway> {
    const options = { pipes, datasets: [], readTimeoutMs: 60_000, shutdownGraceMs: 100 }
    const it = await run({ ...options, limit: { ...limit, ...own } })
    gateways.push(it)
    return it
  }

  /**
   * Asks in three lines until it is enough, and leaves what is unanswered then: a call that comes just after the limit
   * fell waits behind the heavy ones for good. @returns the node's times in ms, and all statuses
   */
  async function ask(gateway: RunningGateway, enough: (answers: number) => boolean, atMostMs = 15_000) {
    const leave = new AbortController()
    const times: number[] = []
    const statuses = new Set<number>()
    const line = async () => {
      while (!leave.signal.aborted) {
        const answer = await gateway.get('/v1/pipes/light', { signal: leave.signal })
        statuses.add(answer.status)
        const { statistics } = await answer.json()
        if (statistics !== undefined) times.push(statistics.node_elapsed * 1000)
      }
    }
    const left = (error: unknown) => {
      if (!leave.signal.aborted) throw error
    }
    const lines = Promise.all([line(), line(), line()].map((it) => it.catch(left)))
    await Promise.race([lines, vi.waitUntil(() => enough(times.length), { timeout: atMostMs, interval: 20 })])
    leave.abort()
    await lines
    return { times: times.sort((a, b) => a - b), statuses: [...statuses] }
  }

  it('gets fewer queries at once from its first slow window on, as it is known what to expect', async () => {
    const calm = await start({ latencyControl: false })
    await ask(calm, (answers) => answers >= 6) // the first queries open their sessions
    const { times } = await ask(calm, (answers) => answers >= 60)
    await gateways.pop()?.close()
    const expectedP90Ms = times[Math.ceil(0.9 * times.length) - 1] ?? Number.NaN

    const gateway = await start({ expectedP90Ms })
    const status = async () => (await (await gateway.get('/v1/status')).json()).nodes[0].limit
    expect(await status()).toMatchObject({ limit: 8, ratio: null, baseline_trust: 'provisional' })
    const leave = new AbortController()
    const heavy = [1, 2, 3, 4, 5].map(() =>
      gateway.get('/v1/pipes/heavy', { signal: leave.signal }).catch(() => 'left'),
    )
    const backoffs = () => gateway.log.filter((it) => it.message === 'latency_backoff')
    const { statuses } = await ask(gateway, () => backoffs().length > 0)
    expect(statuses).toEqual([200])
    const [backoff] = backoffs()
    if (backoff === undefined) throw new Error('it never backed off')
    expect(backoff).toMatchObject({ level: 'warn', fields: { node: 'clickhouse-1' } })
    // L18: of eight in flight at most, what the ratio leaves; the floor is half of them.
    const { limit: fallen, ratio } = backoff.fields as { limit: number; ratio: number }
    expect(fallen).toBeGreaterThanOrEqual(4)
    expect(fallen).toBeLessThanOrEqual(Math.max(4, (8 * 1.15) / ratio))
    const now = await status()
    expect(now.limit).toBeLessThan(8)
    expect(now.limit).toBe(now.latency_ceiling)
    expect(now.throttle_ceiling).toBe(8)
    expect(now.ratio).toBeGreaterThan(1.2)
    expect(now.controller).toBe('knee')

    leave.abort()
    expect(await Promise.all(heavy)).toEqual(Array(5).fill('left'))
  }, 120_000)
})
