import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { LOGS, start } from './child.js'
import { serve } from './server.js'

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

async function listening(args: readonly string[] = []) {
  const api = await serve((_, response) => void response.writeHead(200).end('ok'))
  const child = start(['--openapi', LOGS, '--base-url', api.url, '--http', '0', ...args])
  const [url = ''] = /http:\S+\/mcp/.exec(await child.said(/listening on/)) ?? []
  return { child, url, api }
}

/** fetch sets Host and Origin itself. */
const post = (url: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    request(url, { method: 'POST', headers: { ...accept, ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end(JSON.stringify(INITIALIZE))
  })

test('a request that names another host or comes from another origin is refused', async () => {
  const { url } = await listening(['--allow-host', 'tools.internal'])
  const { port } = new URL(url)
  expect(await post(url, {})).toBe(200)
  expect(await post(url, { origin: `http://localhost:${port}` })).toBe(200)
  expect(await post(url, { host: 'tools.internal' })).toBe(200)
  expect(await post(url, { host: `evil.example:${port}` })).toBe(403)
  expect(await post(url, { origin: 'https://evil.example' })).toBe(403)
  expect(await post(url.replace('/mcp', '/else'), {})).toBe(404)
  expect(await post(url, { 'mcp-session-id': 'made-up' })).toBe(404)
})

test('several sessions at once, and an end that waits for nobody', async () => {
  const { child, url, api } = await listening()
  const clients = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const client = new Client({ name: `test ${n}`, version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client
    }),
  )
  const call = { name: 'get_log', arguments: { id: 'a' } }
  const results = await Promise.all(clients.map((client) => client.callTool(call)))
  expect(results.map(({ content }) => content)).toEqual(Array(3).fill([{ type: 'text', text: 'ok' }]))
  expect(api.received).toHaveLength(3)
  child.process.kill('SIGTERM')
  expect(await child.ended).toBe(0)
  expect(child.stdout()).toBe('')
  await Promise.all(clients.map((client) => client.close()))
})
