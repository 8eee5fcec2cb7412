import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/logger.js'
import { answerError } from '../../src/server/answer-error.js'
import { boundRequests } from '../../src/server/bound-requests.js'
import type { GatewayEnv } from '../../src/server/env.js'
import { type HttpServer, listen } from '../../src/server/http-server.js'
import { limitBody } from '../../src/server/limit-body.js'
import { BodyBudget, readBody } from '../../src/server/read-body.js'
import { Shares } from '../../src/shares.js'
import { until } from '../running-gateway.js'
import { endless, opened, raw } from './raw.js'

const BOUNDS = { maxConnections: 4, stalledMs: 1200, headersMs: 500, requestMs: 900, keepAliveMs: 300 }
const HOST = 'Host: a\r\n'
const LAST = `${HOST}Connection: close\r\n\r\n`

/** The gateway's server, with times that a test can wait for. */
describe('the server before all operations', () => {
  let server: HttpServer
  /** With the times of every day. */
  let patient: HttpServer
  let gone = 0
  beforeAll(async () => {
    const app = new Hono<GatewayEnv>()
    const budget = new BodyBudget(1_000_000)
    app.use('*', limitBody, async (c, next) => {
      const plan = { ratePerSecond: 1, burst: 1 }
      c.set('token', { ...{ name: 'a', tenant: c.req.query('as') ?? 'acme', scopes: [] }, planName: 'default', plan })
      await next()
    })
    app.onError((error, c) => answerError(error, c, silentLogger))
    app.use('/late', boundRequests(new Shares({ perOwner: 2, inAll: 9 })))
    app.get('/', (c) => c.text('here'))
    app.get('/long', (c) => c.text('x'.repeat(20_000_000)))
    app.get('/late', async (c) => {
      await sleep(1500)
      return c.text('late')
    })
    app.post('/', async (c) => {
      const { body, release } = await readBody(c, budget).catch((error) => {
        gone += 1
        throw error
      })
      release()
      return c.text(`${body.length} bytes`)
    })
    server = await listen(app, '127.0.0.1', 0, BOUNDS)
    patient = await listen(app, '127.0.0.1', 0)
  })
  afterAll(() => Promise.all([server.close(0), patient.close(0)]))

  it('takes no time for heads that do not come to their end', async () => {
    const head = await raw(server.port, `GET / HTTP/1.1\r\n${HOST}X-A: `)
    expect([head.statuses, head.isClosed]).toEqual([[408], true])
    expect((await raw(server.port, '')).isClosed).toBe(true)
  })

  it('nor for bodies', async () => {
    const body = await raw(server.port, `POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\n12345`)
    expect([body.statuses, body.isClosed]).toEqual([[408], true])
    await until('it is known to be gone', () => gone === 1)
  })

  it('waits for an answer of its own however long it takes', async () => {
    expect((await raw(server.port, `GET /late HTTP/1.1\r\n${LAST}`)).text).toMatch(/late$/)
  })

  it('holds so many bytes of bodies, of each tenant a quarter of that, and small ones by themselves', async () => {
    const begun = (as: string, length: number, sent: number) => {
      const socket = connect(patient.port, '127.0.0.1')
      socket.write(`POST /?as=${as} HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\n${'x'.repeat(sent)}`)
      return socket
    }
    const posted = async (as: string, length: number) => {
      const head = `POST /?as=${as} HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: ${length}\r\n\r\n`
      const { text } = await raw(patient.port, head + 'x'.repeat(length))
      return [text.slice(9, 12), /retry-after: (\d+)/i.exec(text)?.[1], /"detail":"([^"]*)"/.exec(text)?.[1]]
    }
    const sockets = [begun('acme', 65_000, 15_000)]
    await until('acme has its share', async () => (await posted('acme', 10_000))[0] === '429')
    expect(await posted('acme', 10_000)).toEqual([
      ...[
        '429',
        '1',
        'This tenant has 0 MiB of bodies being read, which is all it may at once. Come back in 1 s, with fewer requests at once.',
      ],
    ])
    expect(await posted('globex', 10_000)).toEqual(['200', undefined, undefined])
    for (const as of ['b', 'c', 'd']) sockets.push(begun(as, 65_000, 15_000))
    await until('all is taken', async () => (await posted('globex', 10_000))[0] === '503')
    for (const it of sockets) it.destroy()
    await until('it is given back', async () => (await posted('acme', 10_000))[0] === '200')
  })

  it('answers so many requests of a tenant at once, and others beside', async () => {
    const late = (as: string) => raw(server.port, `GET /late?as=${as} HTTP/1.1\r\n${LAST}`)
    const begun = [late('acme'), late('acme')]
    await sleep(300)
    const refused = await late('acme')
    expect(refused.statuses).toEqual([429])
    expect(refused.text).toContain('This tenant has 2 requests under way, which is all it may at once.')
    expect((await late('globex')).statuses).toEqual([200])
    expect((await Promise.all(begun)).map(({ statuses }) => statuses)).toEqual([[200], [200]])
    expect((await late('acme')).statuses).toEqual([200])
  })

  it('says why it takes no more of what goes on coming', async () => {
    const part = `3e8\r\n${'x'.repeat(1000)}\r\n`
    const chunks = endless(`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`, part, 1e4)
    const chunked = await raw(patient.port, chunks)
    expect([chunked.statuses, chunked.isClosed]).toEqual([[411], true])
    const large = endless(`POST / HTTP/1.1\r\n${HOST}Content-Length: 10000000\r\n\r\n`, 'x'.repeat(1000), 1e4)
    const answer = await raw(patient.port, large)
    expect([answer.statuses, answer.isClosed]).toEqual([[413], true])
  })

  it('drops who does not take the answer', async () => {
    const socket = await opened(server.port)
    socket.pause()
    socket.write(`GET /long HTTP/1.1\r\n${HOST}\r\n`)
    await sleep(3000)
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(bytes).toBeLessThan(20_000_000)
  })

  it('has those give way that ask nothing, the oldest first, and nobody who is served', async () => {
    const late = raw(server.port, `GET /late HTTP/1.1\r\n${LAST}`)
    const idle = [await opened(server.port), await opened(server.port), await opened(server.port)]
    expect((await raw(server.port, `GET / HTTP/1.1\r\n${LAST}`)).text).toMatch(/here$/)
    await until('one has given way', () => idle.some((it) => it.readyState !== 'open'))
    expect(idle.map((it) => it.readyState === 'open')).toEqual([false, true, true])
    for (const it of idle) it.destroy()
    expect((await late).text).toMatch(/late$/)
  })
})
