import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedServer, scriptedServer, waitsOf } from '../src/wire.js'
import { realClock } from './real-clock.js'

let server: ScriptedServer
beforeAll(async () => {
  server = await scriptedServer({ clock: realClock })
})
afterAll(() => server.close())

/** What a plain HTTP client meets: a status, headers, a body, or the code of a failure. */
function meet(
  url: string,
  method = 'GET',
  body = '',
): Promise<{ status?: number; headers?: object; text?: string; code?: string }> {
  return new Promise((resolve) => {
    const sent = request(url, { method, agent: false }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    sent.on('error', (error) => resolve({ code: 'code' in error ? String(error.code) : error.message }))
    sent.end(body)
  })
}

describe('scriptedServer', () => {
  it('answers each case in turn, the last answer repeating, and records what arrived', async () => {
    const one = server.script('in-turn', [
      { status: 429, headers: { 'retry-after': '1', 'x-more': 'a' } },
      { status: 201, body: 'made', after_ms: 60 },
    ])
    const other = server.script('beside-it', [{ status: 204 }])
    expect(one.baseUrl).toBe(`${server.url}/case/in-turn`)
    expect(await meet(one.baseUrl, 'POST', 'text')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1', 'x-more': 'a', connection: 'close' },
    })
    expect(await meet(`${one.baseUrl}/v1/items?x=1`)).toMatchObject({ status: 201, text: 'made' })
    expect(await meet(one.baseUrl)).toMatchObject({ status: 201 })
    expect(await meet(other.baseUrl)).toMatchObject({ status: 204, text: '' })
    expect(one.arrivals).toHaveLength(3)
    expect(one.arrivals[0]).toMatchObject({ method: 'POST', path: '/case/in-turn', body: 'text', leftAtMs: null })
    expect(one.arrivals[1]).toMatchObject({ method: 'GET', path: '/case/in-turn/v1/items?x=1' })
    const [, second] = one.arrivals
    expect((second?.answeredAtMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThanOrEqual(60)
    expect(waitsOf(one.arrivals).every((wait) => wait >= 0)).toBe(true)
  })

  it('resets a connection, so that its client sees ECONNRESET', async () => {
    const one = server.script('reset', [{ failure: 'network:ECONNRESET' }])
    expect(await meet(one.baseUrl)).toEqual({ code: 'ECONNRESET' })
    expect(one.arrivals[0]?.answeredAtMs).toEqual(expect.any(Number))
  })

  it('never answers a timeout, and records when its client left', async () => {
    const one = server.script('timeout', [{ failure: 'timeout' }])
    const sent = request(one.baseUrl, { agent: false })
    const failed = new Promise((resolve) => sent.on('error', resolve))
    sent.end()
    await expect.poll(() => one.arrivals.length).toBe(1)
    expect(one.arrivals[0]).toMatchObject({ answeredAtMs: null, leftAtMs: null })
    sent.destroy()
    await failed
    await expect.poll(() => one.arrivals[0]?.leftAtMs).toEqual(expect.any(Number))
    expect(one.arrivals[0]?.answeredAtMs).toBeNull()
  })

  it('knows no other path, takes an id once, and wants an answer', async () => {
    expect(await meet(`${server.url}/case/nobody`)).toMatchObject({
      status: 404,
      text: 'no case runs at /case/nobody\n',
    })
    expect(await meet(server.url)).toMatchObject({ status: 404 })
    server.script('once', [{ status: 200 }])
    expect(() => server.script('once', [{ status: 200 }])).toThrow('case once is taken')
    expect(() => server.script('none', [])).toThrow('case none has no answers')
  })
})
