import { describe, expect, test } from 'vitest'
import { LOGS } from './child.js'
import { host, KINDS } from './hosts.js'
import { serve } from './server.js'

/** Answers by the query: `ok`, `once` a throttle of a second, `long` one of 5 s, `busy` one that nobody waits for. */
const logs = () => {
  let throttled = false
  return serve((_, response, { path }) => {
    const query = new URL(path, 'http://logs').searchParams.get('query')
    const wait = query === 'busy' ? 30 : query === 'long' ? 5 : query === 'once' && !throttled ? 1 : null
    throttled ||= query === 'once'
    if (wait !== null) response.writeHead(429, { 'retry-after': String(wait) }).end('{"no":1}')
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"lines":["a", "b"]}')
  })
}

const BUSY = 'throttled: search_logs was rate limited; the server asked to retry in 30s'

for (const kind of KINDS)
  describe(`a session with a client ${kind}`, () => {
    test('list, call, throttle, progress, cancel', async () => {
      const api = await logs()
      const args = ['--openapi', LOGS, '--base-url', api.url, '--log-level', 'debug']
      const { list, call, stderr } = await host(kind, args)
      expect((await list()).map(({ name }) => name)).toEqual(['search_logs', 'get_log'])

      const ok = await call('search_logs', { query: 'ok' })
      expect(ok.content).toEqual([{ type: 'text', text: '{"lines":["a","b"]}' }])
      expect(ok.structuredContent).toEqual({ lines: ['a', 'b'] })
      expect(ok.isError ?? false).toBe(false)

      const heard: (string | undefined)[] = []
      const waited = await call('search_logs', { query: 'once' }, { onprogress: ({ message }) => heard.push(message) })
      expect(waited.structuredContent).toEqual({ lines: ['a', 'b'] })
      expect(heard).toEqual([expect.stringMatching(/^rate limited; retrying in 1(\.\d)?s \(attempt 2\)$/)])

      const busy = await call('search_logs', { query: 'busy' })
      expect(busy.content).toEqual([{ type: 'text', text: BUSY }])
      expect(busy.isError).toBe(true)
      expect(busy._meta?.['sluice/throttle']).toEqual({ retryAfterMs: 30_000, httpStatus: 429, attempts: 1 })

      const controller = new AbortController()
      const options = { signal: controller.signal, onprogress: () => controller.abort() }
      await expect(call('search_logs', { query: 'long' }, options)).rejects.toThrow()
      await expect.poll(stderr, { timeout: 2000 }).toContain('search_logs: aborted')
      expect(api.received.map(({ path }) => path.slice('/logs?query='.length))).toEqual([
        ...['ok', 'once', 'once', 'busy', 'long'],
      ])
    })

    test('a throttle as a protocol error', async () => {
      const api = await logs()
      const { call } = await host(kind, ['--openapi', LOGS, '--base-url', api.url, '--error-mode', 'protocol'])
      await expect(call('search_logs', { query: 'busy' })).rejects.toMatchObject({
        code: -32029,
        message: expect.stringContaining(BUSY),
        data: { retryAfterMs: 30_000, http_status: 429, attempts: 1 },
      })
    })
  })
