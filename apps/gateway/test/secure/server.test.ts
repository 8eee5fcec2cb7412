import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayEnv } from '../../src/server/env.js'
import { type HttpServer, listen } from '../../src/server/http-server.js'
import { limitBody } from '../../src/server/limit-body.js'
import { BodyBudget, readBody } from '../../src/server/read-body.js'
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
    const budget = new BodyBudget(100_000)
    app.use('*', limitBody)
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
