import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
    for (const known of [etag.replace('W/', ''), `"another", ${etag}`, '*'])
      expect((await ask('/', { headers: { 'if-none-match': known } })).status).toBe(304)
    expect((await ask('/', { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
    const head = await ask('/', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
  })

  it('has its files for a year, by their hashes, and compressed where that is asked for', async () => {
    const script = await ask('/assets/index-abc123.js', { headers: { 'accept-encoding': 'br, gzip' } })
    expect([script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    expect([script.headers.get('content-encoding'), await script.text()]).toEqual(['gzip', SCRIPT])
    expect(Number(script.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 4)
    for (const accepted of ['identity', 'br', 'gzip;q=0', 'br, gzip; q=0.000']) {
      const plain = await ask('/assets/index-abc123.js', { headers: { 'accept-encoding': accepted } })
      expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT])
      expect(plain.headers.get('etag')).toBe(script.headers.get('etag')) // a weak one: it is for both
    }
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
    const options = await ask('/', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it('leaves a route of its own to whoever runs it, behind a token', async () => {
    expect((await ask('/demo/echo', { method: 'POST' })).status).toBe(401)
    const answer = await gateway.get('/demo/echo', { method: 'POST' })
    expect([answer.status, await answer.json()]).toEqual([200, { method: 'POST' }])
    expect(answer.headers.get('ratelimit')).toBeNull()
  })
})

describe('what is refused at the start', () => {
  it('a folder without a page, what is no file of a page, and a route that is taken', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'sluice-page-'))
    expect(() => readPage(empty)).toThrow(
      new ConfigError('options', 'consoleDir', `is ${empty}, which has no index.html; build the page first`),
    )
    mkdirSync(join(empty, 'assets'))
    writeFileSync(join(empty, 'index.html'), HTML)
    const asset = (name: string) => join(empty, 'assets', name)
    const odd: [string, () => void, string?][] = [
      ['data.bin', () => writeFileSync(asset('data.bin'), '')],
      ['*.js', () => writeFileSync(asset('*.js'), '')], // to the router it would be every name
      ['more.js', () => mkdirSync(asset('more.js'))],
      ['lost.js', () => symlinkSync(asset('nowhere.js'), asset('lost.js'))],
      [
        'out.js',
        () => symlinkSync(fileURLToPath(import.meta.url), asset('out.js')),
        ', a link that leads out of it; put the file itself there',
      ],
    ]
    for (const [name, make, problem = '; a page is made of files that end in .html, .js, .css, .svg'] of odd) {
      make()
      expect(() => readPage(empty)).toThrow(new ConfigError('options', 'consoleDir', `has assets/${name}${problem}`))
      rmSync(asset(name), { recursive: true })
    }
    symlinkSync(join(empty, 'index.html'), asset('in.html')) // as where files are mounted from a store
    expect([...readPage(empty).keys()]).toEqual(['/', '/assets/in.html'])
    rmSync(empty, { recursive: true })
    for (const path of ['/v1/more', '/healthz', '/', 'no-slash', '/demo/:name'])
      await expect(run({ routes: { [path]: () => new Response() } })).rejects.toThrow(`routes.${path}`)
  })
})
