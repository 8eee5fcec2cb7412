import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../running-gateway.js'
import { SECRETS, startTenants, type Tenants } from './tenants.js'

const MIB = 1_048_576
const PLAN = { requests_per_second: 1e5, burst: 1e5, rows_per_second: 1e6 }

/** What all tenants share: one that takes as much as it can leaves the others theirs. */
describe('a tenant that takes all it can', () => {
  let tenants: Tenants
  const sockets: Socket[] = []
  beforeAll(async () => {
    tenants = await startTenants()
    const columns = [{ name: 'text', type: 'String' }]
    const put = await tenants.ask('PUT /v1/datasources/exported', 'acme', { columns, plan: PLAN })
    expect(put.status).toBe(201)
  })
  afterAll(async () => {
    for (const it of sockets) it.destroy()
    await tenants.close()
  })

  /** Sends all of a body but for its end; again, where it is refused. */
  const slowly = (path: string, bytes: number) => {
    const socket = connect(tenants.gateway.port, '127.0.0.1')
    socket.on('error', () => undefined) // it is closed where it is refused
    socket.once('data', () => {
      socket.destroy()
      slowly(path, bytes)
    })
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${SECRETS[0]}\r\n`
    socket.write(`${head}Content-Type: application/x-ndjson\r\nContent-Length: ${bytes}\r\n\r\n`)
    socket.write(Buffer.alloc(bytes - 1, ' '))
    sockets.push(socket)
  }
  const post = (as: 'acme' | 'globex', texts: readonly string[]) => {
    const rows = texts.map((text) => ({ id: 1, text }))
    return tenants.ask(`POST /v1/datasources/${as === 'acme' ? 'clicks' : 'secrets'}/events`, as, rows)
  }

  it('has a quarter of what bodies may have in memory, and of that for small ones', async () => {
    const large = Array.from({ length: 8 }, () => 'x'.repeat(900_000))
    for (let i = 0; i < 6; i++) slowly('/v1/datasources/clicks/events', 9 * MIB)
    await until('it has its share', async () => (await post('acme', large)).status === 429)
    expect((await post('acme', large)).json).toMatchObject({
      type: 'urn:sluice:problem:tenant-busy',
      detail:
        'This tenant has 60 MiB of bodies being read, which is all it may at once. Come back in 1 s, with fewer requests at once.',
    })
    expect((await post('globex', large)).status).toBe(202)
    expect((await post('globex', ['small'])).status).toBe(202)
    expect((await post('acme', ['small'])).status).toBe(202)
    const definition = { sql: 'SELECT count() AS n FROM clicks' }
    expect((await tenants.ask('PUT /v1/pipes/counted', 'acme', definition)).status).toBe(201)
    for (const it of sockets.splice(0)) it.destroy()
    await until('it is given back', async () => (await post('acme', large)).status === 202)
  })

  it('holds no body for those who wait for their write', async () => {
    const path = '/v1/datasources/clicks'
    const rows = Array.from({ length: 8 }, () => ({ id: 1, text: 'x'.repeat(1_000_000) }))
    expect((await tenants.ask(`POST ${path}/backlog/pause`, 'acme')).status).toBe(200)
    const waits = async () => ((await tenants.ask(`GET ${path}/backlog`, 'acme')).json as { rows: number }).rows
    const before = await waits()
    const waiting: Promise<{ status: number }>[] = []
    // More than its share, in turn.
    for (let i = 1; i <= 9; i++) {
      waiting.push(tenants.ask(`POST ${path}/events?wait=true`, 'acme', rows))
      await until('it is on disk', async () => (await waits()) === before + 8 * i)
    }
    expect((await tenants.ask(`POST ${path}/backlog/resume`, 'acme')).status).toBe(200)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(9).fill(200))
  })

  /** An answer of which nothing is read. */
  const exported = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${SECRETS[0]}` }
      const url = `${tenants.gateway.url}/v1/datasources/exported/backlog/export`
      const asked = request(url, { method: 'POST', headers, agent: false }, resolve).on('error', reject)
      asked.on('socket', (socket) => sockets.push(socket))
      asked.end()
    })

  it('has few exports open, each read as fast as it is taken', async () => {
    const path = '/v1/datasources/exported'
    expect((await tenants.ask(`POST ${path}/backlog/pause`, 'acme')).status).toBe(200)
    const lines = Array.from({ length: 100 }, (_, i) => `{"text":"${String(i).padStart(100_000, 'x')}"}\n`).join('')
    const type = { 'content-type': 'application/x-ndjson' }
    for (let i = 0; i < 3; i++) expect((await tenants.ask(`POST ${path}/events`, 'acme', lines, type)).status).toBe(202)
    const [one, other] = [await exported(), await exported()]
    expect([one.statusCode, other.statusCode]).toEqual([200, 200])
    const refused = await tenants.ask(`POST ${path}/backlog/export`, 'acme')
    expect([refused.status, refused.json]).toMatchObject([
      429,
      {
        type: 'urn:sluice:problem:too-many-streams',
        detail: 'This token reads 2 streams already, and more are not served at once. Close one first.',
      },
    ])
    let text = ''
    for await (const chunk of one) text += chunk
    expect(text === lines.repeat(3)).toBe(true)
    other.destroy()
    await until('places are given back', async () => {
      const again = await exported()
      again.destroy()
      return again.statusCode === 200
    })
  })

  it('gives everything back that it asked for on connections which it then left', async () => {
    const stream = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${SECRETS[0]}` }
        const url = `${tenants.gateway.url}/v1/status/stream`
        const asked = request(url, { headers, agent: false }, (answer) => {
          resolve(answer.statusCode ?? 0)
          asked.destroy()
        }).on('error', reject)
        asked.end()
      })
    // The first is a stream that goes on: what is asked behind it waits, though its place is taken.
    const head = `Host: a\r\nAuthorization: Bearer ${SECRETS[0]}\r\n\r\n`
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\n${head}`
    for (let i = 0; i < 6; i++) {
      const socket = connect(tenants.gateway.port, '127.0.0.1')
      sockets.push(socket)
      socket.write(ask('/v1/status/stream').repeat(4) + ask('/v1/datasources').repeat(400))
      await new Promise((resolve) => socket.once('data', resolve))
    }
    await until('all places are taken', async () => (await stream()) === 429)
    for (const it of sockets) it.destroy()
    await until('places are given back', async () => (await stream()) === 200)
    const all = await Promise.all(Array.from({ length: 300 }, () => tenants.ask('GET /v1/datasources', 'acme')))
    expect(all.filter(({ status }) => status !== 200)).toEqual([])
  })
})
