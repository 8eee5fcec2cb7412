import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { BIN, environment, LOGS, start } from './child.js'
import { serve } from './server.js'

const require = createRequire(import.meta.url)
const manifest = require.resolve('@modelcontextprotocol/inspector/package.json')
const INSPECTOR = join(dirname(manifest), Object.values<string>(require(manifest).bin)[0] ?? '')

/** The official Inspector in its CLI mode: what it prints. */
async function inspect(target: readonly string[], ...method: string[]) {
  const args = [INSPECTOR, '--cli', ...target, '--method', ...method]
  const ended = promisify(execFile)(process.execPath, args, { env: environment({ HOME: '/nonexistent' }) })
  // A result that is an error makes it exit with a code of its own; it is printed all the same.
  const { stdout } = await ended.catch((error: Error & { stdout: string }) => error)
  return JSON.parse(stdout)
}

const CALL = ['tools/call', '--tool-name', 'search_logs', '--tool-arg', 'query=x']

test.each(['stdio', 'HTTP'])('a session with the Inspector over %s', { timeout: 60_000 }, async (over) => {
  const api = await serve((nth, response) => {
    if (nth === 1) response.writeHead(429, { 'retry-after': '1' }).end()
    else if (nth === 2) response.writeHead(200, { 'content-type': 'application/json' }).end('{"lines":[]}')
    else response.writeHead(429, { 'retry-after': '60' }).end()
  })
  const args = ['--openapi', LOGS, '--base-url', api.url]
  let target = [process.execPath, BIN, ...args]
  if (over === 'HTTP') {
    const child = start([...args, '--http', '0'])
    const [url = ''] = /http:\S+\/mcp/.exec(await child.said(/listening on/)) ?? []
    target = [url, '--transport', 'http']
  }
  const { tools } = await inspect(target, 'tools/list')
  expect(tools).toMatchObject([
    {
      name: 'search_logs',
      title: 'Search logs',
      description: 'Search logs\n\nFinds log lines, newest first. See the guide.',
      inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' }, page: {} } },
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: true },
    },
    { name: 'get_log', title: 'getLog', description: 'GET /logs/{id}' },
  ])
  expect(await inspect(target, ...CALL)).toMatchObject({ structuredContent: { lines: [] } })
  expect(await inspect(target, ...CALL)).toMatchObject({
    isError: true,
    content: [{ text: 'throttled: search_logs was rate limited; the server asked to retry in 60s' }],
    _meta: { 'sluice/throttle': { retryAfterMs: 60_000, httpStatus: 429, attempts: 1 } },
  })
})
