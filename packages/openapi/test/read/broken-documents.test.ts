import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { DocumentError, readDocument } from '../../src/index.js'
import { read, withPaths } from './document.js'

const failure = async (document: string | object): Promise<DocumentError> => {
  const error = await read(document).then(
    () => expect.fail('it was read'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DocumentError)
  return error as DocumentError
}

const head = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'

describe('not well formed', () => {
  test.each([
    ['{\n  "openapi": "3.1.0",\n  "paths": {,}\n}', '<stdin>:3:13: not JSON: Value expected'],
    ['{"openapi": "3.1.0"', '<stdin>:1:20: not JSON: Close brace expected'],
    ['{"a": 1} x', '<stdin>:1:10: not JSON: Invalid symbol'],
    [`${head}paths:\n  /a: [1\n  /b: {}\n`, '<stdin>:5:3: not YAML: '],
    [`${head}paths:\n  /a: {}\n  /a: {}\n`, '<stdin>:5:3: not YAML: Map keys must be unique'],
    [`${head}paths: {}\n---\n${head}`, '<stdin>:4:1: not YAML: a second document begins here; keep one'],
    [`${head}paths: &a\n  /a: *a\n`, '<stdin>: YAML that JSON cannot write: '],
  ])('%j', async (text, message) => {
    expect((await failure(text)).message).toContain(message)
  })
})

describe('not a document we can proceed with', () => {
  const get = (yaml: string): string => `${head}paths:\n  /a/{id}:\n    get:\n${yaml.replace(/^/gm, '      ')}\n`
  test.each([
    ['', '<stdin>: #: an OpenAPI document must be an object; got null'],
    ['just a text', '<stdin>:1:1: #: an OpenAPI document must be an object; got "just a text"'],
    [
      '{"swagger": "2.0"}',
      '<stdin>:1:2: #/swagger: this is Swagger 2.0; convert it to OpenAPI 3 first: npx swagger2openapi',
    ],
    ['{"info": {}}', "<stdin>:1:1: #: openapi must be '3.0.x' or '3.1.x'; got nothing"],
    ['openapi: 3.2.0\npaths: {}', `<stdin>:1:1: #/openapi: openapi must be '3.0.x' or '3.1.x'; got "3.2.0"`],
    ['openapi: 3.0', 'got 3'],
    [head, '<stdin>:1:1: #: paths must be an object: the operations by path'],
    [`${head}paths: []`, '<stdin>:3:1: #/paths: paths must be an object; got an array'],
    [`${head}paths:\n  /a:\n    get: 5`, '<stdin>:5:5: #/paths/~1a/get: the operation GET /a must be an object; got 5'],
    [
      get('parameters: {}'),
      '<stdin>:6:7: #/paths/~1a~1{id}/get/parameters: parameters must be an array; got an object',
    ],
    [
      get('parameters:\n- {in: query, schema: {}}'),
      '<stdin>:7:9: #/paths/~1a~1{id}/get/parameters/0: a parameter needs a name; got nothing',
    ],
    [
      get('parameters:\n- {name: a, in: body, schema: {}}'),
      'parameter a: in must be path, query, header or cookie; got "body"',
    ],
    [get('parameters:\n- {name: a, in: query}'), 'parameter a: schema or content must say what it is'],
    [
      get('parameters:\n- {name: a, in: query, style: matrix, schema: {}}'),
      '#/paths/~1a~1{id}/get/parameters/0/style: query parameter a: style must be form or spaceDelimited or pipeDelimited or deepObject; got "matrix"',
    ],
    [
      get('parameters:\n- {name: a, in: query, schema: {}}\n- {name: a, in: query, schema: {}}'),
      '<stdin>:8:9: #/paths/~1a~1{id}/get/parameters/1: query parameter a is there twice; leave one out',
    ],
    [
      get("parameters:\n- $ref: '#/components/parameters/gone'"),
      '<stdin>:7:9: #/paths/~1a~1{id}/get/parameters/0/$ref: $ref #/components/parameters/gone points to nothing: there is no components in the document',
    ],
    [
      get("parameters:\n- $ref: 'common.yaml#/a'"),
      '$ref common.yaml#/a points out of the document; bundle it into one file first',
    ],
    [get("parameters:\n- $ref: '#/paths/~1a~1{id}/get/parameters/0'"), 'leads back to itself'],
    [get('requestBody: {content: []}'), 'content must be an object; got an array'],
    [get('security: {}'), 'security must be an array; got an object'],
    [
      get('parameters:\n- {name: a, in: query, schema: {allOf: {}}}'),
      '/schema/allOf: allOf must be an array of schemas; got an object',
    ],
    [get('parameters:\n- {name: a, in: query, schema: 5}'), 'a schema must be an object; got 5'],
  ])('%j', async (text, message) => {
    expect((await failure(text)).message).toContain(message)
  })

  test('the error holds its place as data', async () => {
    const error = await failure(JSON.stringify(withPaths({ '/a': { get: { tags: 5 } } }), null, 2))
    expect(error).toMatchObject({ source: '<stdin>', pointer: '/paths/~1a/get/tags', line: 10, column: 9 })
  })
})

describe('not there', () => {
  test.each([
    ['no-such-file.yaml', 'no-such-file.yaml: there is no such file'],
    ['.', '.: is a folder; name a file'],
    ['-', '<stdin>: there is no stdin here; name a file or a URL'],
  ])('%s', async (source, message) => {
    await expect(readDocument(source)).rejects.toThrow(message)
  })

  test('an abort rejects with its reason', async () => {
    const reason = new Error('enough')
    await expect(readDocument('x.yaml', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('a byte order mark is no part of a document', async () => {
    const stdin = Readable.from([Buffer.from(`\uFEFF${JSON.stringify(withPaths({}))}`)])
    expect(await readDocument('-', { stdin })).toMatchObject({ title: 'Test' })
  })
})

describe('hostile', () => {
  test('names of Object.prototype are names like others', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const text = JSON.stringify(
      withPaths(
        {
          '/__proto__/{constructor}': {
            post: {
              operationId: '__proto__',
              tags: ['__proto__'],
              parameters: names.map((name) => ({
                name,
                in: 'query',
                schema: { $ref: `#/components/schemas/${name}` },
              })),
              requestBody: { content: { 'application/json': { schema: 'PROPERTIES' } } },
              responses: { constructor: { description: 'x' } },
            },
          },
        },
        { components: { schemas: 'SCHEMAS' } },
      ),
    )
      // A literal would set the prototype.
      .replace('"SCHEMAS"', `{${names.map((name) => `"${name}":{"type":"string"}`)}}`)
      .replace('"PROPERTIES"', `{"type":"object","properties":{"__proto__":{"type":"integer"}}}`)
    const document = await read(text)
    const operation = await document.operation('__proto__')
    expect(operation.parameters.map(({ name }) => name)).toEqual([...names, 'constructor'])
    expect(Object.keys(operation.defs).sort()).toEqual(['constructor', 'hasOwnProperty', 'proto__', 'toString'])
    const { schema } = operation.body?.content[0] ?? {}
    expect(JSON.stringify(schema)).toBe('{"type":"object","properties":{"__proto__":{"type":"integer"}}}')
    expect(({} as { type?: unknown }).type).toBeUndefined()
    await expect(document.operation('valueOf')).rejects.toThrow('no operation valueOf')
  })

  test.each(['json', 'yaml'])('10 000 levels of %s end in a message', async (form) => {
    const levels = 10_000
    const schema = `${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`
    const json = `{"openapi":"3.1.0","paths":{"/a":{"get":{"parameters":[{"name":"a","in":"query","schema":${schema}}]}}}}`
    const text = form === 'json' ? json : `openapi: 3.1.0\npaths: ${json.slice(json.indexOf('{"/a"'), -1)}`
    expect((await failure(text)).message).toMatch(/nested|cannot write|not YAML/)
  })

  test('a chain of 10 000 references, and an enum of 100 000 values', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `s${index}`,
        { items: { $ref: `#/components/schemas/s${(index + 1) % 10_000}` } },
      ]),
    )
    const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`)
    const parameters = [
      { name: 'chain', in: 'query', schema: { $ref: '#/components/schemas/s0' } },
      { name: 'many', in: 'query', schema: { enum: values } },
    ]
    const document = await read(withPaths({ '/a': { get: { parameters } } }, { components: { schemas: chain } }))
    const operation = await document.operation('get-a')
    expect(Object.keys(operation.defs)).toHaveLength(10_000)
  })

  test('aliases that multiply are refused', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, level) => `x-${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`,
    )
    const text = `openapi: 3.1.0\nx-0: &l0 [a]\n${lines.join('\n')}\npaths: {}\n`
    expect((await failure(text)).message).toContain('Excessive alias count')
  })
})
