import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BIN, sluice, start } from '../child.js'
import { serve } from '../server.js'
import { ITEMS } from './call.js'

const TOKEN = 'tok-5f2c9a'

/** An environment with a cache of its own. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const cache = mkdtempSync(join(tmpdir(), 'sluice-cache-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  return { XDG_CACHE_HOME: cache, SLUICE_OPENAPI: ITEMS, ...more }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s in a wait ends it at once with %i, without a word', async (signal, code) => {
  const { url, received, arrived } = await serve((_, response) => response.writeHead(429, { 'retry-after': '5' }).end())
  const child = start(process.execPath, [BIN, 'call', 'items', '--base-url', url], environment())
  await arrived(1)
  await new Promise((resolve) => setTimeout(resolve, 100)) // its answer is read, and the wait has begun
  const sent = performance.now()
  child.process.kill(signal)
  expect(await child.ended).toMatchObject({ code, stdout: '', stderr: '' })
  expect(performance.now() - sent).toBeLessThan(2000)
  expect(received).toHaveLength(1)
})

test('S1: 404 and 500 end with 1, one line on stderr, the body on stdout; a throttle with 4', async () => {
  const answers = [404, 500, 429]
  const { url } = await serve((nth, response) => {
    response.writeHead(answers[nth - 1] ?? 200, { 'retry-after': '3600' }).end('a body\n')
  })
  const env = environment({ SLUICE_BASE_URL: url })
  expect(await sluice(['call', 'items'], { env })).toMatchObject({
    code: 1,
    stdout: 'a body\n',
    stderr: 'Error: HTTP 404: Not Found\n',
  })
  expect(await sluice(['call', 'items'], { env })).toMatchObject({
    ...{ code: 1, stdout: 'a body\n', stderr: 'Error: HTTP 500: Internal Server Error\n' },
  })
  expect(await sluice(['call', 'items'], { env })).toMatchObject({
    ...{ code: 4, stdout: '', stderr: 'Error: rate limited; server asked to retry in 3600s\n' },
  })
})

test('stdin that is longer than what is kept is streamed', async () => {
  const lines = '{"event":"a line of events"}\n'.repeat(100_000)
  const { url, received } = await serve((_, response) => response.writeHead(202).end('{"accepted":100000}\n'))
  const ended = await sluice(['call', 'sendLines', '--base-url', url, '--body', '-'], {
    input: lines,
    env: environment(),
  })
  expect(ended).toMatchObject({ code: 0, stdout: '{"accepted":100000}\n', stderr: '' })
  expect(received[0]?.headers['content-type']).toBe('application/x-ndjson')
  expect(received[0]?.headers['transfer-encoding']).toBe('chunked')
  expect(received[0]?.body).toBe(lines)
})

describe('the document at a URL', () => {
  const DOCUMENT = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Small', version: '1' },
    paths: { '/x': { get: { operationId: 'getX', responses: { 200: { description: 'ok' } } } } },
  })

  test('is fetched once, without the token, and again with --refresh', async () => {
    const { url, received } = await serve((_, response, { path }) =>
      path === '/api.json' ? response.writeHead(200, { etag: '"1"' }).end(DOCUMENT) : response.end('x\n'),
    )
    const env = environment({ SLUICE_OPENAPI: `${url}/api.json`, SLUICE_BASE_URL: url, SLUICE_TOKEN: TOKEN })
    const call = (...more: string[]) => sluice(['call', 'getX', ...more], { env })
    expect(await call()).toMatchObject({ code: 0, stdout: 'x\n', stderr: '' })
    expect(await call()).toMatchObject({ code: 0, stdout: 'x\n' })
    expect(received.map(({ path }) => path)).toEqual(['/api.json', '/x', '/x'])
    expect(await call('--refresh')).toMatchObject({ code: 0 })
    expect(received.map(({ path }) => path).slice(3)).toEqual(['/api.json', '/x'])
    for (const { path, headers } of received)
      expect(headers.authorization).toBe(path === '/x' ? `Bearer ${TOKEN}` : undefined)
  })
})

test('a token is in nothing that is written, whatever happens', async () => {
  const { url, close } = await serve((nth, response, { headers }) => {
    const echo = JSON.stringify({ title: `not you: ${headers.authorization}` })
    if (nth === 1) response.writeHead(401, { 'content-type': 'application/problem+json', 'x-echo': TOKEN }).end(echo)
    else if (nth === 2) response.writeHead(200, { 'x-echo': `Bearer ${TOKEN}` }).end('fine\n')
    else if (nth === 3) response.writeHead(429, { 'retry-after': '3600' }).end(echo)
    else response.destroy()
  })
  const env = environment({ SLUICE_BASE_URL: url, SLUICE_TOKEN: TOKEN })
  const runs = [
    ['items', '--report'],
    ['items', '-i'],
    ['items', '--json'],
    ['byQuery', '--no-retry', '--report'],
    ['byQuery', '--per-page', '3'],
    ['items', '--per-page', 'many'],
    ['items', '--help'],
  ]
  const ended = []
  for (const args of runs) ended.push(await sluice(['call', ...args], { env }))
  await close()
  ended.push(await sluice(['call', 'byQuery', '--max-attempts', '2'], { env }))
  expect(ended.map(({ code }) => code)).toEqual([1, 0, 4, 1, 2, 2, 0, 1])
  // What a server sends back in a body is its own to show; all else is ours.
  for (const { stdout, stderr } of ended.slice(1)) expect(stdout + stderr).not.toContain(TOKEN)
  expect(ended[0]?.stderr).toContain('not you: Bearer [redacted]')
  const cached = readdirSync(join(env.XDG_CACHE_HOME ?? '', 'sluice'))
  expect(cached).toHaveLength(1)
})
