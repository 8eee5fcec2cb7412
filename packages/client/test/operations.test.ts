import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ClientBuilder } from '@sluice/client'
import { generate } from '@sluice/openapi/generate'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Operation {
  operationId: string
  method: string
  path: string
}

const documentUrl = new URL('../../../spec/openapi.yaml', import.meta.url)
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']
const document = parse(readFileSync(documentUrl, 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>
}
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
)

/** Operations that are no method of the client, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {}

type Method = (options: unknown) => Promise<{ stream?: AsyncIterable<unknown> }>

describe('every operation of the gateway is a method of the client', () => {
  const names = operations.map(({ operationId }) => operationId)

  test('and there are no others', () => {
    const client = new ClientBuilder('http://a.test').build()
    const own = ['url', 'request', 'waiting']
    const wanted = names.filter((name) => EXCLUDED[name] === undefined)
    expect(wanted.length).toBeGreaterThan(20)
    expect(
      Object.keys(client)
        .filter((key) => !own.includes(key))
        .sort(),
    ).toEqual(wanted.sort())
    expect(Object.keys(EXCLUDED).filter((name) => !names.includes(name))).toEqual([])
  })

  test.each(operations)('$operationId sends $method $path', async ({ operationId, method, path }) => {
    const sent: string[] = []
    const fetch = async (input: unknown) => {
      const request = input as Request
      sent.push(`${request.method} ${new URL(request.url).pathname}`)
      return new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } })
    }
    const client = new ClientBuilder('http://a.test/base').fetch(fetch).build()
    const send = client[operationId as 'listPipes'] as Method // any of them takes such options
    const options = {
      path: { name: 'a/b', id: 'x', kind: 'k' },
      ...(method === 'PUT' && { body: {} }),
      parseAs: 'text',
    }
    const { stream } = await send(options)
    if (stream) for await (const _ of stream);
    expect(sent).toEqual([`${method} /base${path.replace('{name}', 'a%2Fb')}`])
  })
})

describe('the generated code', () => {
  const output = fileURLToPath(new URL('../src/gen', import.meta.url))

  test('is what the document gives today; `pnpm generate` makes it anew', { timeout: 120_000 }, async () => {
    const { changes, operations: count } = await generate({ document: fileURLToPath(documentUrl), output, check: true })
    expect(changes.map(({ file, kind }) => `${file} ${kind}`)).toEqual([])
    expect(count).toBe(operations.length)
  })
})
