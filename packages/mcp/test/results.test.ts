import type { CallToolResult } from '@modelcontextprotocol/server'
import { VirtualClock } from '@sluice/core/testing'
import { background, createMcpServer, type McpServerOptions, retryPolicy } from '@sluice/mcp'
import type { Operation } from '@sluice/openapi'
import { describe, expect, test } from 'vitest'
import { documentOf } from './document.js'
import { connected } from './in-memory.js'

const query = (name: string): Operation['parameters'][number] => ({
  ...{ name, in: 'query', required: false, description: '', deprecated: false, schema: { type: 'integer' } },
  ...{ style: 'form', explode: true, allowReserved: false, contentType: null },
})

/** The result of a tool whose server answers so. */
async function answered(
  response: Response,
  options: Partial<McpServerOptions> = {},
  operation: Partial<Operation> = {},
): Promise<CallToolResult> {
  const server = await createMcpServer({
    ...{ document: documentOf(operation), baseUrl: 'https://service.test', fetch: async () => response },
    ...options,
  })
  const client = await connected(server)
  return (await client.callTool({ name: 'items', arguments: {} })) as CallToolResult
}

const json = (value: unknown, init?: ResponseInit): Response => Response.json(value, init)
const typed = (type: string, body: BodyInit): Response => new Response(body, { headers: { 'content-type': type } })
const texts = ({ content }: CallToolResult): string[] =>
  content.map((one) => (one.type === 'text' ? one.text : one.type))

describe('retry: false', () => {
  test.each([
    [{ retry: {} }, {}],
    [{ retry: { preset: 'background' as const, maxAttempts: 6 } }, {}],
    [{ retry: { disabled: false, idempotent: true } }, { policy: retryPolicy({ maxAttempts: 5 }, background) }],
  ])('is one attempt, whatever the document says: %j', async (operation, options) => {
    for (const [retry, sends] of [
      [false, 1],
      [true, 2],
    ] as const) {
      let sent = 0
      const fetch = async (): Promise<Response> =>
        ++sent === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '0' } }) : json({ done: true })
      const { isError } = await answered(json({}), { ...options, fetch, retry }, operation)
      expect({ sent, isError }).toEqual({ sent: sends, isError: retry ? undefined : true })
    }
  })
})

describe('what an agent gets of an answer', () => {
  test('an object is structured content, and compact text', async () => {
    expect(await answered(typed('application/json', '{ "a": [1, 2] }'))).toMatchObject({
      structuredContent: { a: [1, 2] },
      content: [{ type: 'text', text: '{"a":[1,2]}' }],
    })
  })

  test.each([
    [[1, 2], '[1,2]'],
    ['text', '"text"'],
    [null, 'null'],
  ])('%j is wrapped, since the protocol wants an object', async (value, text) => {
    const result = await answered(json(value))
    expect(result.structuredContent).toEqual({ result: value })
    expect(texts(result)).toEqual([text])
  })

  test('what is called JSON and is none is text', async () => {
    const result = await answered(typed('application/json', '{"a":'))
    expect(result.structuredContent).toBeUndefined()
    expect(texts(result)).toEqual(['{"a":'])
  })

  test('text in another charset is read in that', async () => {
    const latin = typed('text/plain; charset=iso-8859-1', new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    expect(texts(await answered(latin))).toEqual(['café'])
  })

  test.each([
    [204, 'done'],
    [200, 'done'],
    [201, 'done (HTTP 201)'],
  ])('an empty %i is said to be done', async (status, text) => {
    expect(texts(await answered(new Response(null, { status })))).toEqual([text])
  })

  test('an image is an image', async () => {
    const { content } = await answered(typed('image/png', new Uint8Array([1, 2, 3])))
    expect(content).toEqual([{ type: 'image', data: 'AQID', mimeType: 'image/png' }])
  })

  test('other bytes are an embedded resource, or a notice where they are many', async () => {
    const small = await answered(typed('application/zip', new Uint8Array([1, 2, 3])))
    expect(small.content).toEqual([
      { type: 'text', text: '3 bytes of application/zip' },
      { type: 'resource', resource: { uri: 'answer:body', mimeType: 'application/zip', blob: 'AQID' } },
    ])
    const large = await answered(typed('application/zip', new Uint8Array(1_048_577)))
    expect(texts(large)).toEqual(['The answer is 1048577 bytes of application/zip: too large to hand over.'])
  })

  test('an event stream is let go of: it has no end', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    })
    expect(texts(await answered(typed('text/event-stream', endless)))[0]).toMatch(/^The answer is an event stream/)
  })
})

describe('an answer that is too long', () => {
  const parameters = ['q', 'page', 'per_page'].map(query)

  test('a list keeps its first entries, stays valid, and names the parameters that page', async () => {
    const list = Array.from({ length: 50 }, (_, id) => ({ id }))
    const result = await answered(json(list), { maxChars: 100 }, { parameters })
    const [text = '', notice] = texts(result)
    expect(text.length).toBeLessThanOrEqual(100)
    expect(JSON.parse(text)).toEqual(list.slice(0, 10))
    expect(result.structuredContent).toEqual({ result: list.slice(0, 10) })
    expect(notice).toBe('[cut: the first 10 of 50 entries; ask for the rest, or for less, with page, per_page]')
  })

  test('so does the longest list in an object', async () => {
    const answer = { total: 40, tags: ['a'], items: Array.from({ length: 40 }, (_, i) => i) }
    const result = await answered(json(answer), { maxChars: 60 }, { parameters })
    expect(result.structuredContent).toEqual({ ...answer, items: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
    expect(texts(result)[0]).toBe(JSON.stringify(result.structuredContent))
  })

  test('anything else is cut as text, without structured content', async () => {
    const result = await answered(json({ text: 'x'.repeat(500) }), { maxChars: 20 }, { parameters: [query('q')] })
    expect(result.structuredContent).toBeUndefined()
    expect(texts(result)).toEqual([
      '{"text":"xxxxxxxxxxx',
      '[cut: the first 20 of 511 characters; ask for less with q]',
    ])
  })

  test('no character is cut in two', async () => {
    expect(texts(await answered(typed('text/plain', 'aa🙂🙂'), { maxChars: 3 }))[0]).toBe('aa')
  })

  test('nor is more read than can be of use', async () => {
    let pulled = 0
    const megabyte = new Uint8Array(1_048_576).fill(97)
    const endless = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(megabyte)
      },
    })
    const result = await answered(typed('text/plain', endless), { maxChars: 5 })
    expect(texts(result)[0]).toBe('aaaaa')
    expect(pulled).toBeLessThan(25)
  })
})

describe('a failure', () => {
  test('an answer that does not come to its end within the deadline ends with it', async () => {
    const clock = new VirtualClock()
    let cancelled = false
    const trickling = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('a')),
      cancel: () => {
        cancelled = true
      },
    })
    const result = await clock.run(answered(typed('text/plain', trickling), { clock }))
    expect(texts(result)).toEqual(['items failed: deadline of 50s passed (1 attempt)'])
    expect([cancelled, clock.now(), clock.pending()]).toEqual([true, 50_000, 0])
  })

  test('an answer whose connection breaks is no success', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('gone'), { code: 'ECONNRESET' })),
    })
    expect(texts(await answered(typed('text/plain', broken)))).toEqual([
      'items failed: connection failed (ECONNRESET) after 1 attempt',
    ])
  })

  test('a refused token is said to be that', async () => {
    const denied = (): Response => new Response('{"message":"Bad credentials"}', { status: 401 })
    const secured: Partial<Operation> = { security: [[{ type: 'http', name: 'token', scheme: 'bearer' }]] }
    expect(texts(await answered(denied(), { token: 'abc123' }, secured))).toEqual([
      'items failed: HTTP 401: Unauthorized; the token was refused: check SLUICE_TOKEN',
      '{"message":"Bad credentials"}',
    ])
    expect(texts(await answered(denied(), {}, secured))[0]).toBe(
      'items failed: HTTP 401: Unauthorized; it wants a token, and none is set: give it in SLUICE_TOKEN',
    )
  })

  test('an error page is not handed over whole', async () => {
    const [, body = ''] = texts(await answered(new Response('x'.repeat(50_000), { status: 500 })))
    expect(body).toHaveLength(10_001)
  })

  test('wrong arguments are a result that names the field, and nothing is sent', async () => {
    let sent = 0
    const server = await createMcpServer({
      document: documentOf({ parameters: [{ ...query('page'), required: true }] }),
      baseUrl: 'https://service.test',
      fetch: async () => {
        sent++
        return json({})
      },
    })
    const client = await connected(server)
    const call = async (given: Record<string, unknown>): Promise<string | undefined> => {
      const result = (await client.callTool({ name: 'items', arguments: given })) as CallToolResult
      expect(result.isError).toBe(true)
      return texts(result)[0]
    }
    expect(await call({})).toBe('items was not called: page: is missing; items needs it')
    expect(await call({ page: 'x' })).toMatch(/^items was not called: page: .*integer/)
    expect(await call({ page: 1, pgae: 2 })).toMatch(/^items was not called: pgae: /)
    expect(sent).toBe(0)
    await expect(client.callTool({ name: 'itmes', arguments: {} })).rejects.toThrow('no tool itmes')
  })
})

test('an id of 64 bits keeps its digits in the text', async () => {
  const body = '{"id": 12345678901234567891}'
  expect(texts(await answered(typed('application/json', body)))).toEqual([body])
})

describe('what is nested deeper than the stack', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)

  test('comes as text, cut where it is long', async () => {
    const type = 'application/json'
    expect(await answered(typed(type, deep))).toEqual({ content: [{ type: 'text', text: deep }] })
    expect(texts(await answered(typed(type, deep), { maxChars: 10 }))[0]).toBe('[[[[[[[[[[')
  })

  test('is no argument', async () => {
    let sent = 0
    const fetch = async (): Promise<Response> => json({ sent: ++sent })
    const server = await createMcpServer({
      ...{ document: documentOf({ parameters: [query('page')] }), baseUrl: 'https://service.test', fetch },
    })
    const client = await connected(server)
    const page = JSON.parse('['.repeat(1000) + ']'.repeat(1000))
    const result = (await client.callTool({ name: 'items', arguments: { page } })) as CallToolResult
    expect([result.isError, ...texts(result)]).toEqual([
      true,
      'items was not called: its arguments are nested too deeply',
    ])
    expect(sent).toBe(0)
  })
})
