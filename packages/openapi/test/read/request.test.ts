import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ArgumentError, argumentsOf, checkArguments, inputSchema, type Operation, requestOf } from '../../src/index.js'
import { operationOf } from './document.js'

const baseUrl = 'https://a.example/v1/'
const text = { type: 'string' }

const problem = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ArgumentError)
    return (error as ArgumentError).message
  }
  throw new Error('nothing was refused')
}

describe('the URL', () => {
  test.each([
    ['https://a.example', '/things', 'https://a.example/things'],
    ['https://a.example/v1', '/things', 'https://a.example/v1/things'],
    ['https://a.example/v1//', '/things/', 'https://a.example/v1/things/'],
    ['https://a.example/v1?api-version=3#x', '/things', 'https://a.example/v1/things?api-version=3'],
    ['https://a.example', '/things?fixed=1', 'https://a.example/things?fixed=1'],
    ['https://a.example', '/#X-Amz-Target', 'https://a.example/%23X-Amz-Target'],
  ])('%s + %s', async (base, path, expected) => {
    expect(requestOf(await operationOf({}, path), {}, { baseUrl: base }).url).toBe(expected)
  })

  test.each([
    ['not a url', 'no absolute URL'],
    ['ftp://a.example', 'must be an http or https URL'],
    ['https://me:secret@a.example', 'must hold no user name'],
  ])('%s is refused', async (base, expected) => {
    const operation = await operationOf({})
    const message = problem(() => requestOf(operation, {}, { baseUrl: base }))
    expect(message).toContain(expected)
    expect(message).not.toContain('secret')
  })

  const parameter = { name: 'id', in: 'path', required: true, schema: {} }

  test.each([['.'], ['..'], [''], [[]]])('%j cannot be a part of a path', async (id) => {
    const operation = await operationOf({ parameters: [parameter] }, '/things/{id}/x')
    expect(problem(() => requestOf(operation, { id }, { baseUrl }))).toMatch(/^id: /)
  })

  test('two values that make .. together are refused', async () => {
    const operation = await operationOf({}, '/things/{a}{b}')
    expect(problem(() => requestOf(operation, { a: '.', b: '.' }, { baseUrl }))).toMatch(/\.\. a part of the path/)
  })

  test('whatever a value holds, it stays one part of the path and comes back whole', async () => {
    const operation = await operationOf({ parameters: [parameter] }, '/things/{id}')
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        fc.pre(id !== '.' && id !== '..')
        const { pathname, search, hash } = new URL(requestOf(operation, { id }, { baseUrl }).url)
        expect(pathname.split('/').length).toBe(4)
        expect(decodeURIComponent(pathname.slice('/v1/things/'.length))).toBe(id)
        expect(search + hash).toBe('')
      }),
    )
  })

  test('half a surrogate pair is replaced, as in any URL', async () => {
    const operation = await operationOf({ parameters: [parameter] }, '/things/{id}')
    expect(requestOf(operation, { id: 'a\uD800/' }, { baseUrl }).url).toBe('https://a.example/v1/things/a%EF%BF%BD%2F')
  })

  test('whatever a query value holds, the server reads it back', async () => {
    const operation = await operationOf({ parameters: [{ name: 'q[]', in: 'query', schema: {} }] })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (q) => {
        expect([...new URL(requestOf(operation, { 'q[]': q }, { baseUrl }).url).searchParams]).toEqual([['q[]', q]])
      }),
    )
  })
})

describe('names', () => {
  test('a parameter called body goes by its place where the operation takes a body', async () => {
    const operation = await operationOf(
      { parameters: [{ name: 'body', in: 'query', schema: text }], requestBody: { content: { 'text/plain': {} } } },
      '/things',
      'post',
    )
    const { url, body } = requestOf(operation, { 'query.body': 'q', body: 'b' }, { baseUrl })
    expect([url, body]).toEqual(['https://a.example/v1/things?body=q', 'b'])
    expect(inputSchema(operation)).toMatchObject({
      properties: { 'query.body': text, body: {} },
      additionalProperties: false,
    })
  })

  test('a name in two places is qualified in both, and a name that looks like it steps aside', async () => {
    const operation = await operationOf(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'id', in: 'query', schema: text },
          { name: 'query.id', in: 'header', schema: text },
        ],
      },
      '/things/{id}',
    )
    expect(argumentsOf(operation).map(({ name }) => name)).toEqual(['path.id', 'query.id', 'header.query.id'])
  })

  test('without a body, body is a parameter like others', async () => {
    const operation = await operationOf({ parameters: [{ name: 'body', in: 'query', schema: text }] })
    expect(requestOf(operation, { body: 'x' }, { baseUrl }).url).toBe('https://a.example/v1/things?body=x')
  })

  test('headers that OpenAPI leaves to others are no arguments', async () => {
    const names = ['Accept', 'content-type', 'AUTHORIZATION', 'X-Own']
    const operation = await operationOf({ parameters: names.map((name) => ({ name, in: 'header', schema: text })) })
    expect(argumentsOf(operation).map(({ name }) => name)).toEqual(['X-Own'])
  })
})

describe('what is refused', () => {
  const parameters = [
    { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
    { name: 'since', in: 'query', schema: { type: ['string', 'null'] } },
    { name: 'key', in: 'query', schema: { type: 'string', format: 'password' } },
    { name: 'X-Name', in: 'header', schema: text },
  ]

  test.each([
    [{}, 'limit: is missing; it needs it: integer'],
    [{ limit: null }, 'limit: is missing; it needs it: integer'],
    [{ limit: 1, lmit: 2 }, 'lmit: it has no such argument; did you mean limit?'],
    [{ limit: 'many' }, 'limit: must be integer; got "many"'],
    [{ limit: 1.5 }, 'limit: must be integer; got 1.5'],
    [{ limit: Number.NaN }, 'limit: must be integer; got null'],
    [{ limit: 1, since: { a: 1 } }, 'since: must be string or null; got {"a":1}'],
    [{ limit: 1, key: ['s3cret'] }, 'key: must be string; got (a password)'],
    [
      { limit: 1, 'X-Name': 'a\r\nEvil: 1' },
      'X-Name: "a\\r\\nEvil: 1" cannot stand in a header; leave out line breaks and what is not Latin-1',
    ],
    [{ limit: 1, body: 'x' }, 'body: it has no such argument; it takes limit, since, key, X-Name'],
  ])('%j', async (args, expected) => {
    const operation = await operationOf({ parameters })
    expect(problem(() => requestOf(operation, args, { baseUrl }))).toBe(expected)
  })

  test('a text that reads as the type does, and null is not given', async () => {
    const operation = await operationOf({ parameters })
    expect(requestOf(operation, { limit: '5', since: null, key: undefined }, { baseUrl }).url).toMatch(/\?limit=5$/)
  })

  test('an error shows its value to who asks, not to who prints its fields', async () => {
    const error = new ArgumentError('key', 'is wrong', 's3cret')
    expect(error.value).toBe('s3cret')
    expect(JSON.stringify(error) + Object.keys(error)).not.toContain('s3cret')
  })
})

describe('bodies', () => {
  const post = (content: object, rest: object = {}): Promise<Operation> =>
    operationOf({ requestBody: { required: true, content }, ...rest }, '/things', 'post')
  const json = { 'application/json': { schema: { type: 'object' } } }

  test('JSON', async () => {
    const request = requestOf(await post(json), { body: { a: [1, null] } }, { baseUrl })
    expect(request).toMatchObject({
      method: 'POST',
      body: '{"a":[1,null]}',
      headers: { 'content-type': 'application/json' },
    })
  })

  test('a form: lists are repeated, structures are JSON, an encoding has its way', async () => {
    const operation = await post({
      'application/x-www-form-urlencoded': {
        schema: {},
        encoding: { joined: { style: 'form', explode: false }, deep: { style: 'deepObject' } },
      },
    })
    const body = { a: 'x y&z', list: [1, 2], object: { b: 1 }, joined: [1, 2], deep: { c: 1 }, none: undefined }
    expect(requestOf(operation, { body }, { baseUrl }).body).toBe(
      'a=x%20y%26z&list=1&list=2&object=%7B%22b%22%3A1%7D&joined=1,2&deep%5Bc%5D=1',
    )
  })

  test('multipart: bytes and binary texts are files, fetch writes the boundary', async () => {
    const properties = { file: { type: 'string', format: 'binary' }, meta: { type: 'object' } }
    const operation = await post({
      'multipart/form-data': {
        schema: { type: 'object', properties },
        encoding: { typed: { contentType: 'application/json' } },
      },
    })
    const { body, headers } = requestOf(
      operation,
      { body: { file: 'bytes', raw: new Uint8Array([1]), meta: { a: 1 }, typed: { b: 1 }, tags: ['x', 'y'] } },
      { baseUrl },
    )
    expect(headers).not.toHaveProperty('content-type')
    const form = await new Response(body).formData()
    expect(form.getAll('tags')).toEqual(['x', 'y'])
    expect(form.get('meta')).toBe('{"a":1}')
    expect(await (form.get('file') as File).text()).toBe('bytes')
    expect((form.get('raw') as File).size).toBe(1)
    expect((form.get('typed') as File).type).toBe('application/json')
  })

  test('lines of JSON', async () => {
    const operation = await post({ 'application/x-ndjson': {} })
    expect(requestOf(operation, { body: [{ a: 1 }, 2] }, { baseUrl }).body).toBe('{"a":1}\n2\n')
  })

  test('lines that are one text may be given as what JSON takes as well', async () => {
    const list = { type: 'array', minItems: 1, items: { type: 'object' } }
    const operation = await post({ 'application/x-ndjson': { schema: text }, 'application/json': { schema: list } })
    expect(inputSchema(operation)).toMatchObject({ properties: { body: { anyOf: [list, text] } } })
    const sent = async (body: unknown) => {
      await checkArguments(operation, { body })
      const { body: written, headers } = requestOf(operation, { body }, { baseUrl })
      return [written, headers['content-type']]
    }
    expect(await sent([{ a: 1 }])).toEqual(['[{"a":1}]', 'application/json'])
    expect(await sent('{"a":1}\n')).toEqual(['{"a":1}\n', 'application/x-ndjson'])
    await expect(sent(5)).rejects.toThrow('body: must be array; got 5')
  })

  test('text, and bytes or a stream as they are', async () => {
    const operation = await post({ 'text/plain': { schema: text } })
    expect(requestOf(operation, { body: 'hello' }, { baseUrl }).body).toBe('hello')
    const bytes = new Uint8Array([1, 2])
    const stream = new Blob(['x']).stream()
    const binary = await post({ 'application/octet-stream': {} })
    expect(requestOf(binary, { body: bytes }, { baseUrl })).toMatchObject({
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(requestOf(binary, { body: stream }, { baseUrl }).body).toBe(stream)
  })

  test('the first form that can carry the value, or the one that is asked for', async () => {
    const operation = await post({
      'application/xml': { schema: { type: 'object' } },
      ...json,
      'text/csv': { schema: text },
    })
    const typeOf = (body: unknown, contentType?: string): string | undefined =>
      requestOf(operation, { body }, { baseUrl, contentType }).headers['content-type']
    expect(typeOf({})).toBe('application/json')
    expect(typeOf('a,b')).toBe('text/csv')
    expect(typeOf('<a/>', 'application/xml; charset=utf-8')).toBe('application/xml; charset=utf-8')
    expect(problem(() => typeOf({}, 'image/png'))).toBe(
      'contentType: it takes application/xml, application/json, text/csv; got image/png',
    )
    expect(problem(() => typeOf({}, 'text/csv'))).toContain('cannot be sent as text/csv')
  })

  test('a range is made a type', async () => {
    const operation = await post({ 'image/*': {} })
    const { headers } = requestOf(operation, { body: new Blob(['x'], { type: 'image/png' }) }, { baseUrl })
    expect(headers['content-type']).toBe('image/png')
  })

  test('a missing body, and one that JSON cannot write', async () => {
    const operation = await post({ 'application/json': {} })
    expect(problem(() => requestOf(operation, {}, { baseUrl }))).toBe('body: is missing; it needs one')
    const circle: unknown[] = []
    circle.push(circle)
    expect(problem(() => requestOf(operation, { body: circle }, { baseUrl }))).toContain('JSON cannot write it')
  })

  test('accept names what is answered, a success first, events only where there is nothing else', async () => {
    const responses = {
      default: { description: '', content: { 'application/problem+json': {} } },
      200: { description: '', content: { 'application/json': {}, 'text/event-stream': {} } },
    }
    const { headers } = requestOf(await operationOf({ responses }), {}, { baseUrl })
    expect(headers.accept).toBe('application/json, application/problem+json')
  })
})

describe('checkArguments', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 2 },
      kind: { enum: ['a', 'b'] },
      when: { type: 'string', format: 'date' },
      file: { type: 'string', format: 'binary' },
    },
    additionalProperties: false,
  }
  const operation = operationOf(
    { requestBody: { required: true, content: { 'application/json': { schema } } } },
    '/things',
    'post',
  )

  test.each([
    [{}, 'body: is missing; it needs it'],
    [{ bdy: 1, body: { name: 'xx' } }, 'bdy: it has no such argument; did you mean body?'],
    [{ body: { name: 'x' } }, 'body: name must NOT have fewer than 2 characters; got "x"'],
    [{ body: { name: 'xx', kind: 'c' } }, 'body: kind must be one of a, b; got "c"'],
    [{ body: { name: 'xx', when: 'today' } }, 'body: when must match format "date"; got "today"'],
    [{ body: { name: 'xx', more: 1 } }, 'body: must have no property more; got {"name":"xx","more":1}'],
  ])('%j', async (args, expected) => {
    const error = await checkArguments(await operation, args).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ArgumentError)
    expect(error).toHaveProperty('message', expected)
  })

  test('what fits passes; bytes stand for a text, and a body that is written already is not looked into', async () => {
    await checkArguments(await operation, { body: { name: 'xx', file: new Uint8Array(3) } })
    await checkArguments(await operation, { body: new Uint8Array(3) })
    await checkArguments(await operation, { body: new FormData() })
  })
})
