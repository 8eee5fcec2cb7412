import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGateway, run, SECRET } from './running-gateway.js'

describe('the HTTP face', () => {
  let gateway: RunningGateway
  const before = { Request: globalThis.Request, Response: globalThis.Response }
  beforeAll(async () => {
    gateway = await run({ corsOrigins: ['https://console.example'] })
  })
  afterAll(() => gateway.close())

  const problemOf = async (response: Response) => {
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const body = await response.json()
    expect(body).toMatchObject({ status: response.status, type: expect.stringMatching(/^urn:sluice:problem:/) })
    return body
  }

  it('lists its pipes and their parameters', async () => {
    const { pipes } = await (await gateway.get('/v1/pipes')).json()
    expect(pipes.map((it: { href: string }) => it.href)).toContain('/v1/pipes/delay_quantiles')
    expect(pipes[0].parameters[0]).toMatchObject({ name: 'from', type: 'Date', required: false, default: '2001-01-01' })
  })

  it.each([
    ['none', {}, 'Bearer realm="sluice"'],
    ['another scheme', { authorization: `Basic ${SECRET}` }, 'Bearer realm="sluice"'],
    ['an unknown one', { authorization: 'Bearer wrong-token-0000001' }, 'Bearer realm="sluice", error="invalid_token"'],
    ['one with a tail', { authorization: `Bearer ${SECRET}x` }, 'Bearer realm="sluice", error="invalid_token"'],
  ])('401 for a token that is %s, known route or not', async (_, headers: Record<string, string>, challenge) => {
    for (const path of ['/v1/pipes', '/v1/pipes/busiest_routes', '/v1/whatever']) {
      const response = await fetch(`${gateway.url}${path}`, { headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(challenge)
      expect(response.headers.has('ratelimit')).toBe(false)
      expect(JSON.stringify(await problemOf(response))).not.toContain('wrong-token')
    }
  })

  it('404 names what there is', async () => {
    const pipe = await gateway.get('/v1/pipes/nope')
    expect(pipe.status).toBe(404)
    expect((await problemOf(pipe)).detail).toBe(
      'There is no pipe "nope". There are: flights_per_day, delays_by_airport, busiest_routes, delay_quantiles.',
    )
    const route = await gateway.get('/v2')
    expect(route.status).toBe(404)
    expect((await problemOf(route)).detail).toContain('GET /v1/pipes/{name}')
    // A person in a browser asks for it, and is told how there would be one.
    expect((await problemOf(await fetch(gateway.url))).detail).toMatch(
      /^This gateway shows no console: it was started without --console \(or consoleDir\)\. There are: GET \/healthz/,
    )
    for (const odd of ['/v1/pipes/', '/v1/pipes/a%2Fb', '/v1/pipes/%E0%A4%A', '/v1/pipes/__proto__']) {
      expect((await gateway.get(odd)).status).toBe(404)
    }
  })

  it('400 names field, value and remedy', async () => {
    const response = await gateway.get('/v1/pipes/busiest_routes?limit=0')
    expect(response.status).toBe(400)
    expect(await problemOf(response)).toMatchObject({
      detail: 'limit "0" is not a whole number from 1 to 1000.',
      errors: [{ parameter: 'limit', value: '0', message: 'is not a whole number from 1 to 1000' }],
    })
  })

  it('405 says what is allowed, also to OPTIONS without a token', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await gateway.get('/v1/pipes/busiest_routes', { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      await problemOf(response)
    }
  })

  it('says that it keeps nothing, and what to do, whatever the token may', async () => {
    const why = 'this gateway keeps nothing. Whoever runs it starts it with --spool (or spoolDir).'
    for (const [path, method] of [
      ['/v1/datasources/a', 'PUT'],
      ['/v1/pipes/a', 'PUT'],
      ['/v1/datasources/a', 'DELETE'],
    ] as const) {
      const response = await gateway.get(path, { method })
      expect(response.status).toBe(405)
      expect((await problemOf(response)).detail).toBe(`${method} is not possible here: ${why}`)
    }
    for (const [path, method] of [
      ['/v1/datasources/a/events', 'POST'],
      ['/v1/datasources/a', 'GET'],
    ] as const) {
      const response = await gateway.get(path, { method })
      expect(response.status).toBe(404)
      expect((await problemOf(response)).detail).toBe(`There is no data source "a": ${why}`)
    }
  })

  it('HEAD has the headers of GET and no body', async () => {
    const response = await gateway.get('/v1/pipes/busiest_routes', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('server-timing')).toMatch(/^elapsed;dur=/)
    expect(await response.text()).toBe('')
  })

  it('413 for a large body and 411 for one of unknown length, without reading either', async () => {
    const send = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const req = request(`${gateway.url}/v1/pipes`, { method: 'POST', headers }, (res) => {
          resolve(res.statusCode)
          req.destroy()
        })
        req.on('error', reject)
        req.write('x') // and never the rest
      })
    expect(await send({ 'content-length': String(10_000_000) })).toBe(413)
    expect(await send({ 'transfer-encoding': 'chunked' })).toBe(411)
  })

  it('lets pages of a named origin read the waits, and no others', async () => {
    const origin = 'https://console.example'
    const refused = await fetch(`${gateway.url}/v1/pipes`, { headers: { origin } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After,RateLimit')
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const preflight = await fetch(`${gateway.url}/v1/pipes`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'Authorization,Content-Type,Idempotency-Key,Last-Event-ID,X-Dataset-ID,X-Tenant-ID',
    )
    const other = await fetch(`${gateway.url}/v1/pipes`, { headers: { origin: 'https://evil.example' } })
    expect(other.headers.has('access-control-allow-origin')).toBe(false)
  })

  it('has a health that needs no token', async () => {
    const response = await fetch(`${gateway.url}/healthz`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  })

  it('logs method, path, status and the token’s name; never a token nor a query string', async () => {
    await gateway.get('/v1/pipes/delay_quantiles?origin=SECRET-ORIGIN')
    await gateway.get('/v1/pipes', { headers: { authorization: 'Bearer wrong-token-0000001' } })
    expect(gateway.lastLine((it) => it.fields.path === '/v1/pipes/delay_quantiles')).toMatchObject({
      level: 'info',
      message: 'request',
      fields: { method: 'GET', status: 200, token: 'ann', ms: expect.any(Number) },
    })
    expect(JSON.stringify(gateway.log)).not.toMatch(new RegExp(`${SECRET}|wrong-token|SECRET-ORIGIN`))
  })

  it('leaves the globals of the program it runs in alone', () => {
    expect(globalThis.Request).toBe(before.Request)
    expect(globalThis.Response).toBe(before.Response)
  })
})
