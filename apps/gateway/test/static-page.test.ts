import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../src/config-error.js'
import { readPage } from '../src/server/static-page.js'
import { type RunningGateway, run } from './running-gateway.js'

const HTML = '<!doctype html><title>Console</title>'
const SCRIPT = 'export const much = "the same";\n'.repeat(50)

describe('the page at /', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
  let gateway: RunningGateway
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), HTML)
    writeFileSync(join(folder, 'secret.txt'), 'not part of the page')
    writeFileSync(join(folder, 'assets', 'index-abc123.js'), SCRIPT)
    writeFileSync(join(folder, 'assets', 'index-abc123.css'), 'body{}')
    const routes = { '/demo/echo': async (asked: Request) => Response.json({ method: asked.method }) }
    gateway = await run({ consoleDir: folder, routes })
  })
  afterAll(async () => {
    await gateway?.close()
    rmSync(folder, { recursive: true })
  })
  const ask = (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, init)

  it('is there for anybody, asks to be asked for again, and lets nothing in from elsewhere', async () => {
    const answer = await ask('/')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Encoding',
    })
    expect(await answer.text()).toBe(HTML)
    const etag = answer.headers.get('etag') ?? ''
    const again = await ask('/', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await ask('/', { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
    const head = await ask('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('has its files for a year, by their hashes, and compressed where that is asked for', async () => {
    const script = await ask('/assets/index-abc123.js', { headers: { 'accept-encoding': 'br, gzip' } })
    expect([script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    expect([script.headers.get('content-encoding'), await script.text()]).toEqual(['gzip', SCRIPT])
    expect(Number(script.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 4)
    const plain = await ask('/assets/index-abc123.js', { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT])
    expect((await ask('/assets/index-abc123.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  it.each(['/assets/other.js', '/secret.txt', '/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/index.html'])(
    'has nothing at %s',
    async (path) => {
      // fetch would take the dots out of a path before it sends it.
      const status = await new Promise((resolve, reject) =>
        request(gateway.url, { path }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end(),
      )
      expect(status).toBe(404)
    },
  )

  it('is only read', async () => {
    const answer = await ask('/', { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('leaves a route of its own to whoever runs it, behind a token', async () => {
    expect((await ask('/demo/echo', { method: 'POST' })).status).toBe(401)
    const answer = await gateway.get('/demo/echo', { method: 'POST' })
    expect([answer.status, await answer.json()]).toEqual([200, { method: 'POST' }])
    expect(answer.headers.get('ratelimit')).toBeNull()
  })
})

describe('what is refused at the start', () => {
  it('a folder without a page, a file of another kind, and a route that is taken', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'sluice-page-'))
    expect(() => readPage(empty)).toThrow(
      new ConfigError('options', 'consoleDir', `is ${empty}, which has no index.html; build the page first`),
    )
    mkdirSync(join(empty, 'assets'))
    writeFileSync(join(empty, 'index.html'), HTML)
    writeFileSync(join(empty, 'assets', 'data.bin'), '')
    expect(() => readPage(empty)).toThrow(
      new ConfigError('options', 'consoleDir', 'has assets/data.bin; a page is made of .html, .js, .css, .svg'),
    )
    rmSync(empty, { recursive: true })
    for (const path of ['/v1/more', '/healthz', '/', 'no-slash', '/demo/:name'])
      await expect(run({ routes: { [path]: () => new Response() } })).rejects.toThrow(`routes.${path}`)
  })
})
