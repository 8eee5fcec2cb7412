import { get as httpGet, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pipe } from '@sluice/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { undescribed } from '../contract/undescribed.js'
import { type RunningGateway, run, SECRET, until } from '../running-gateway.js'

const sleeper: Pipe = {
  name: 'sleeper',
  description: 'For tests.',
  parameters: {},
  sql: `SELECT sum(sleepEachRow(0.1)) FROM numbers(600)
    SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0`,
}
const limits = { limit: { maxConcurrent: 2, maxQueue: 1 }, maxStreamsPerToken: 2 }
const options = { pipes: [sleeper], datasets: [], readTimeoutMs: 60_000, ...limits }

interface Seen {
  readonly text: () => string
  readonly statuses: () => { state: string; nodes: { state: string; limit: Record<string, unknown> }[] }[]
  readonly ended: Promise<void>
  readonly leave: () => void
}

/** Follows the status over a socket of its own. */
async function follow(gateway: RunningGateway): Promise<Seen> {
  const headers = { authorization: `Bearer ${SECRET}` }
  let text = ''
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(`${gateway.url}/v1/status/stream`, { headers, agent: false }, resolve).on('error', reject)
  })
  const ended = new Promise<void>((resolve) => response.on('close', resolve))
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  response.on('error', () => undefined) // the end is what is looked at
  const statuses = () =>
    text.split('\n\n').flatMap((it) => (it.startsWith('event: status\ndata: ') ? [JSON.parse(it.slice(20))] : []))
  return { text: () => text, statuses, ended, leave: () => response.destroy() }
}

describe('the status over the wire', () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    gateway = await run(options)
  })
  afterAll(() => gateway.close())

  const limit = async () => (await (await gateway.get('/v1/status')).json()).nodes[0].limit

  it('counts queries that run and wait, refuses one more, and frees the place of a client that leaves', async () => {
    const clients = [0, 1, 2].map(() => new AbortController())
    const ask = ({ signal }: AbortController) => gateway.get('/v1/pipes/sleeper', { signal }).catch(() => 'left')
    const asked = clients.map(ask)
    await until('two run and one waits', async () => (await limit()).queued === 1)
    expect(await limit()).toMatchObject({ limit: 2, in_flight: 2, queued: 1 })
    const refused = await gateway.get('/v1/pipes/sleeper')
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, false])
    expect(await refused.json()).toMatchObject({ type: 'urn:sluice:problem:queue-full', title: 'Queue full' })
    expect(gateway.lastLine((it) => it.message === 'queue_rejected')).toMatchObject({
      level: 'warn',
      fields: { limit: 2 },
    })
    expect(await limit()).toMatchObject({ in_flight: 2, queued: 1 }) // status needs no slot
    clients[2]?.abort()
    await until('it has left the queue', async () => (await limit()).queued === 0)
    for (const it of clients) it.abort()
    expect(await Promise.all(asked)).toEqual(['left', 'left', 'left'])
    await until('the killed ones have ended', async () => (await limit()).in_flight === 0)
  })

  it('429 for a query that waited too long', async () => {
    const impatient = await run({ ...options, limit: { maxConcurrent: 1, queueTimeoutMs: 200 } })
    const client = new AbortController()
    const first = impatient.get('/v1/pipes/sleeper', { signal: client.signal }).catch(() => 'left')
    await until(
      'it runs',
      async () => (await (await impatient.get('/v1/status')).json()).nodes[0].limit.in_flight === 1,
    )
    const answer = await impatient.get('/v1/pipes/sleeper')
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, false])
    expect(await answer.json()).toMatchObject({
      type: 'urn:sluice:problem:queue-timeout',
      detail: expect.stringMatching(/^The query waited 200 ms for the engine and was not begun\./),
    })
    client.abort()
    expect(await first).toBe('left')
    await impatient.close()
  })

  it('streams what changes, until the client leaves', async () => {
    const stream = await follow(gateway)
    await until('the first has come', () => stream.statuses().length === 1)
    const client = new AbortController()
    const asked = gateway.get('/v1/pipes/sleeper', { signal: client.signal }).catch(() => 'left')
    await until('it runs', () => stream.statuses().at(-1)?.nodes[0]?.limit.in_flight === 1)
    client.abort()
    await until('it has ended', () => stream.statuses().at(-1)?.nodes[0]?.limit.in_flight === 0)
    expect(await asked).toBe('left')
    stream.leave()
    await stream.ended
  })

  it('429 for one stream more than a token may have, until one of them ends', async () => {
    const streams = await Promise.all([follow(gateway), follow(gateway)])
    const asked = { method: 'GET', path: '/v1/status/stream' }
    const refused = await gateway.get(asked.path)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, false])
    expect(await refused.clone().json()).toMatchObject({
      type: 'urn:sluice:problem:too-many-streams',
      detail: 'This token follows 2 streams already, and more are not served at once. Close one first.',
    })
    expect(await undescribed(asked, refused)).toEqual([])
    expect((await gateway.get(asked.path, { method: 'HEAD' })).status).toBe(200) // it has none
    streams[0]?.leave()
    await until('its place is free', async () => {
      const answer = await gateway.get(asked.path)
      await answer.body?.cancel()
      return answer.status === 200
    })
    streams[1]?.leave()
  })

  it('tells that the engine went away and came back', async () => {
    const stream = await follow(gateway)
    await until('the first has come', () => stream.statuses().length === 1)
    const told = (): (string | undefined)[][] => stream.statuses().map((it) => [it.state, it.nodes[0]?.state])
    // The feed looks four times a second: an engine that is back within two looks was never gone for it. Then once more.
    for (let kills = 0; kills < 5 && !told().some(([state]) => state === 'down'); kills++) {
      const killed = gateway.enginePid()
      process.kill(killed, 'SIGKILL')
      await until('there is another engine', () => gateway.enginePid() !== killed)
      await sleep(500) // two looks
    }
    await until('it is up again', () => stream.statuses().at(-1)?.state === 'ok')
    expect(told()).toContainEqual(['down', 'starting'])
    stream.leave()
  })

  it('ends its streams when the gateway closes, which does not wait for them', async () => {
    const closing = await run({ ...options, shutdownGraceMs: 60_000 })
    const streams = await Promise.all([follow(closing), follow(closing)])
    await until('both follow', () => streams.every((it) => it.statuses().length === 1))
    const startMs = performance.now()
    const closed = closing.close()
    await Promise.all(streams.map((it) => it.ended))
    await closed
    expect(performance.now() - startMs).toBeLessThan(30_000) // half of its grace, and it needs far less
  })
})
