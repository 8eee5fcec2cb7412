import type { CallToolResult } from '@modelcontextprotocol/server'
import { createMcpServer } from '@sluice/mcp'
import type { Operation, SecurityScheme } from '@sluice/openapi'
import { describe, expect, test } from 'vitest'
import { LOGS, start } from './child.js'
import { documentOf } from './document.js'
import { host } from './hosts.js'
import { connected } from './in-memory.js'
import { serve } from './server.js'

const TOKEN = 'tok-5ecret-"quoted"'
const KEY = 'key-5ecret-of-a-header'

/** Calls `GET /items` of this server with a token that goes where the schemes say. */
async function callWith(baseUrl: string, security: SecurityScheme[][], more: Partial<Operation> = {}) {
  const document = documentOf({ security, ...more })
  const server = await createMcpServer({ document, baseUrl, token: TOKEN, headers: { 'x-api-key': KEY } })
  const client = await connected(server)
  const { tools } = await client.listTools()
  return { result: await client.callTool({ name: 'items', arguments: {} }), schema: tools[0]?.inputSchema }
}

const key = (place: 'header' | 'query' | 'cookie'): SecurityScheme => ({
  ...{ type: 'apiKey', name: 'key', in: place, parameter: 'token' },
})

describe('a token goes where the document says', () => {
  test.each<[string, SecurityScheme[][], string, string | undefined]>([
    ['none described', [], 'authorization', `Bearer ${TOKEN}`],
    ['bearer', [[{ type: 'http', name: 'a', scheme: 'bearer' }]], 'authorization', `Bearer ${TOKEN}`],
    ['oauth2', [[{ type: 'oauth2', name: 'a' }]], 'authorization', `Bearer ${TOKEN}`],
    ['a header', [[key('header')]], 'token', TOKEN],
    ['a cookie', [[key('cookie')]], 'cookie', `token=${encodeURIComponent(TOKEN)}`],
    ['the first that it is enough for', [[{ type: 'mutualTLS', name: 'a' }], [key('header')]], 'token', TOKEN],
    ['nowhere, where none is needed', [[]], 'authorization', undefined],
  ])('%s', async (_, security, name, value) => {
    const api = await serve((_nth, response) => void response.end())
    await callWith(api.url, security)
    expect(api.received[0]?.headers[name]).toBe(value)
  })

  test('the query', async () => {
    const api = await serve((_, response) => void response.end())
    await callWith(api.url, [[key('query')]])
    expect(new URL(api.received[0]?.path ?? '', api.url).searchParams.get('token')).toBe(TOKEN)
  })

  test('and no agent is asked for it, or for a header that the user has set', async () => {
    const api = await serve((_, response) => void response.end())
    const header = { in: 'header', required: true, description: '', deprecated: false, schema: {} } as const
    const how = { style: 'simple', explode: false, allowReserved: false, contentType: null } as const
    const parameters = ['token', 'Authorization', 'X-Api-Key', 'x-trace'].map((name) => ({
      name,
      ...header,
      ...how,
      required: false,
    }))
    const { schema } = await callWith(api.url, [[key('header')]], { parameters })
    expect(Object.keys(schema?.properties ?? {})).toEqual(['x-trace'])
  })
})

describe('a redirect', () => {
  test.each([302, 307])('%i to another origin takes no credential along', async (status) => {
    const other = await serve((_, response) => void response.end('there'))
    const api = await serve((_, response) => void response.writeHead(status, { location: `${other.url}/x` }).end())
    for (const security of [[], [[key('header')]], [[key('cookie')]], [[key('query')]]]) {
      const { result } = await callWith(api.url, security)
      expect(result.content).toEqual([{ type: 'text', text: 'there' }])
    }
    expect(api.received).toHaveLength(4)
    expect(other.received).toHaveLength(4)
    expect(JSON.stringify(other.received)).not.toMatch(/5ecret/)
  })

  test('within the origin they go along, and one that leads nowhere is a failure', async () => {
    const api = await serve((nth, response) => {
      if (nth === 1) response.writeHead(301, { location: '/there' }).end()
      else response.writeHead(302, { location: 'ftp://else.where/' }).end()
    })
    const { result } = await callWith(api.url, [])
    expect(api.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/items', `Bearer ${TOKEN}`],
      ['/there', `Bearer ${TOKEN}`],
    ])
    expect(result.content).toEqual([
      {
        type: 'text',
        text: 'items failed: connection failed (a redirect to ftp:, which is no web address) after 1 attempt',
      },
    ])
  })
})

describe('nothing tells the token', () => {
  test('one that is not of the kind that the operation wants: nothing is sent', async () => {
    const { result } = await callWith('http://127.0.0.1:9', [[{ type: 'http', name: 'login', scheme: 'basic' }]])
    expect(result).toMatchObject({
      ...{ isError: true },
      content: [{ text: 'items was not called: the token: login is basic authentication: write user:password' }],
    })
  })

  test('a token that no header can carry', async () => {
    const options = { document: documentOf({}), baseUrl: 'https://service.test', token: '5ecret\n5ecret' }
    await expect(createMcpServer(options)).rejects.toThrow(
      /^createMcpServer: token must be one line of printable ASCII characters$/,
    )
  })

  test('an answer that repeats what basic authentication makes of it', async () => {
    const api = await serve((_, response, { headers }) => void response.end(headers.authorization))
    const server = await createMcpServer({
      ...{ document: documentOf({ security: [[{ type: 'http', name: 'a', scheme: 'basic' }]] }), baseUrl: api.url },
      token: 'user:pa55word',
    })
    const result = await (await connected(server)).callTool({ name: 'items', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'Basic [redacted]' }])
    expect(api.received[0]?.headers.authorization).toBe(`Basic ${btoa('user:pa55word')}`)
  })

  test('an answer that repeats it', async () => {
    const api = await serve((_, response, { headers }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ headers, also: [TOKEN] }))
    })
    const { result } = await callWith(api.url, [])
    expect(JSON.stringify(result)).not.toMatch(/5ecret/)
    expect(result.structuredContent).toMatchObject({ also: ['[redacted]'], headers: { 'x-api-key': '[redacted]' } })
  })

  test.each([
    [
      'as the name of a field',
      'application/json',
      (token: string) => JSON.stringify({ [token]: 1, [`Bearer ${token}`]: 2 }),
    ],
    ['in bytes, at the end', 'application/octet-stream', (token: string) => `\0\0${token}`],
    ['in bytes', 'application/octet-stream', (token: string) => `\0${token}.`],
    ['where it is cut', 'text/plain', (token: string) => `${'x'.repeat(90)}${token}`],
  ])('an answer that repeats it %s', async (_, type, bodyOf) => {
    const api = await serve(
      (_nth, response) => void response.writeHead(200, { 'content-type': type }).end(bodyOf(TOKEN)),
    )
    const server = await createMcpServer({ document: documentOf({}), baseUrl: api.url, token: TOKEN, maxChars: 100 })
    const result = (await (await connected(server)).callTool({ name: 'items', arguments: {} })) as CallToolResult
    const bytes = result.content.flatMap((one) =>
      one.type === 'resource' && 'blob' in one.resource ? [Buffer.from(one.resource.blob, 'base64').toString()] : [],
    )
    expect(bytes).toHaveLength(type === 'application/octet-stream' ? 1 : 0)
    expect(`${JSON.stringify(result)}${bytes}`).not.toMatch(/tok-5|5ecret/)
    expect(`${JSON.stringify(result)}${bytes}`).toMatch(/\[redacted\]|\[redac/)
  })

  test('a whole run with failures: no message, no log', async () => {
    const api = await serve((nth, response, { headers }) => {
      if (nth === 1) response.writeHead(429, { 'retry-after': '0' }).end(headers.authorization)
      else if (nth === 2) response.writeHead(401).end(`no ${headers.authorization}`)
      else if (nth === 3) response.writeHead(500).end(JSON.stringify(headers))
      else if (nth === 4) response.socket?.destroy()
      else response.writeHead(429, { 'retry-after': '60' }).end(headers.authorization)
    })
    const args = ['--openapi', LOGS, '--base-url', api.url, '--header', `X-Api-Key: ${KEY}`, '--log-level', 'debug']
    const { list, call, stderr } = await host('v2 over stdio', args, { SLUICE_TOKEN: TOKEN })
    const heard: unknown[] = [await list()]
    const progress = { onprogress: (one: unknown) => heard.push(one) }
    for (let i = 0; i < 3; i++) heard.push(await call('search_logs', { query: 'x' }, progress))
    heard.push(await call('get_log', { id: '../x' }, progress), await call('search_logs', {}, progress))
    expect(api.received[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-api-key': KEY })
    expect(JSON.stringify(heard)).toMatch(/attempt 2/)
    expect(`${JSON.stringify(heard)}${stderr()}`).not.toMatch(/5ecret/)
    expect(stderr()).toMatch(/search_logs: status, HTTP 401/)
  })

  test('a server that only the document names gets none: the start is refused', async () => {
    const child = start(['--openapi', LOGS], { SLUICE_TOKEN: TOKEN })
    expect(await child.ended).toBe(2)
    expect(child.stderr()).toBe(
      'Error: a token or header is set, and only the document says where it would go: https://logs.example.com; if that is right, say so with --base-url https://logs.example.com\n',
    )
    expect(child.stdout()).toBe('')
  })
})
