import { describe, expect, test } from 'vitest'
import { inputSchema, type JsonSchema, UnknownOperationError } from '../../src/index.js'
import { operationOf, read, withPaths } from './document.js'

describe('ids and how they are found', () => {
  const document = read(
    withPaths(
      {
        '/repos/{owner}': {
          parameters: [{ name: 'owner', in: 'path', required: true, schema: {} }],
          get: { operationId: 'repos/get', summary: ' Get\n  a repo ', tags: ['repos'] },
          put: { operationId: 'repos/get' },
          patch: {},
          delete: { operationId: 'deleteRepo', deprecated: true, description: 'Deletes it.\nFor good.' },
        },
        '/a': {
          get: { operationId: 'get-it' },
          put: { operationId: 'getIt' },
          post: { operationId: 'patch-repos-owner' },
        },
      },
      { tags: [{ name: 'declared', description: 'first' }] },
    ),
  )

  test('as the document writes them, made where there is none or it is taken', async () => {
    const { operations, notes, tags } = await document
    expect(operations.map(({ id }) => id)).toEqual([
      'repos/get',
      'put-repos-owner',
      'deleteRepo',
      'patch-repos-owner-2',
      'get-it',
      'getIt',
      'patch-repos-owner',
    ])
    expect(notes).toEqual([
      '#/paths/~1repos~1{owner}/put/operationId: the operationId repos/get is taken: PUT /repos/{owner} has an id of its own.',
    ])
    expect(tags).toEqual([
      { name: 'declared', description: 'first' },
      { name: 'repos', description: '' },
    ])
    expect(operations.slice(0, 3).map(({ summary, deprecated }) => [summary, deprecated])).toEqual([
      ['Get', false],
      ['', false],
      ['Deletes it.', true],
    ])
  })

  test.each(['repos/get', 'repos-get', 'reposGet', 'repos_get', 'ReposGet', 'REPOS GET'])(
    '%s finds repos/get',
    async (id) => {
      expect(await (await document).operation(id)).toMatchObject({ id: 'repos/get', method: 'GET' })
    },
  )

  test('exact comes first; what fits two is neither', async () => {
    expect((await (await document).operation('getIt')).id).toBe('getIt')
    await expect((await document).operation('get_it')).rejects.toMatchObject({ nearest: ['get-it', 'getIt'] })
  })

  test('what is not there says what is near, up to three', async () => {
    const error = await (await document).operation('repo/get').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnknownOperationError)
    expect(error).toMatchObject({ id: 'repo/get', nearest: ['repos/get'] })
    expect(error).toHaveProperty('message', 'no operation repo/get in this document; did you mean repos/get?')
    await expect((await document).operation('zzzzzzzzzz')).rejects.toMatchObject({ nearest: [] })
  })
})

describe('parameters', () => {
  const shared = [
    { name: 'a', in: 'query', description: 'shared', schema: {} },
    { name: 'b', in: 'query', schema: {} },
  ]

  test("the operation's own over its path's", async () => {
    const document = await read(
      withPaths({
        '/x': { parameters: shared, get: { parameters: [{ name: 'a', in: 'query', description: 'own', schema: {} }] } },
      }),
    )
    const { parameters } = await document.operation('get-x')
    expect(parameters.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'own'],
      ['b', ''],
    ])
  })

  test('a path that is not described takes a text; one that is not in the path is left out', async () => {
    const document = await read(
      withPaths({ '/x/{id}': { get: { parameters: [{ name: 'no', in: 'path', schema: {} }] } } }),
    )
    expect((await document.operation('get-x-id')).parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ])
    expect(document.notes).toEqual([
      '#/paths/~1x~1{id}/get/parameters: the path /x/{id} has no {no}: this parameter of it is left out.',
      '#/paths/~1x~1{id}/get/parameters: {id} of the path /x/{id} is not described: any text is taken.',
    ])
  })
})

describe('schemas', () => {
  const translated = async (schema: object, openapi = '3.0.3', schemas: object = {}): Promise<JsonSchema> => {
    const parameters = [{ name: 'p', in: 'query', schema }]
    const operation = await operationOf({ parameters }, '/x', 'get', { openapi, components: { schemas } })
    return operation.parameters[0]?.schema ?? expect.fail('no parameter')
  }

  test.each<[object, JsonSchema]>([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [{ type: 'string', nullable: false }, { type: 'string' }],
    [{ enum: ['a'], nullable: true }, { enum: ['a', null] }],
    [{ allOf: [{ type: 'string' }], nullable: true }, { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] }],
    [
      { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false },
      { exclusiveMinimum: 1, maximum: 2 },
    ],
    [
      { example: 1, format: 'binary' },
      { format: 'binary', examples: [1] },
    ],
    [
      { properties: { a: { readOnly: true }, b: {} }, required: ['a', 'b'] },
      { properties: { a: { readOnly: true }, b: {} }, required: ['b'] },
    ],
    [{ pattern: '[' }, {}],
    [{ pattern: '^a$', discriminator: { propertyName: 'x' }, xml: {}, 'x-own': 1 }, { pattern: '^a$' }],
    [{ default: { nullable: true, $ref: '#/nowhere' } }, { default: { nullable: true, $ref: '#/nowhere' } }],
    [{ items: { type: 'string', nullable: true } }, { items: { type: ['string', 'null'] } }],
    [
      { properties: { nullable: { type: 'boolean' }, $ref: { type: 'string' } } },
      { properties: { nullable: { type: 'boolean' }, $ref: { type: 'string' } } },
    ],
  ])('%j', async (schema, expected) => {
    expect(await translated(schema)).toEqual(expected)
  })

  test('beside a $ref 3.0 counts nothing, 3.1 everything', async () => {
    const schema = { $ref: '#/components/schemas/A', maxLength: 3 }
    expect(await translated(schema, '3.0.3', { A: {} })).toEqual({ $ref: '#/$defs/A' })
    expect(await translated(schema, '3.1.0', { A: {} })).toEqual({ $ref: '#/$defs/A', maxLength: 3 })
  })

  test('cycles work, and only what is reachable comes along', async () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/Node' }, leaf: { $ref: '#/components/schemas/Leaf' } },
      },
      Leaf: { type: 'string' },
      Other: { type: 'number' },
    }
    const parameters = [{ name: 'p', in: 'query', schema: { $ref: '#/components/schemas/Node' } }]
    const operation = await operationOf({ parameters }, '/x', 'get', { components: { schemas } })
    expect(operation.defs).toEqual({
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, leaf: { $ref: '#/$defs/Leaf' } } },
      Leaf: { type: 'string' },
    })
    expect(inputSchema(operation)).toEqual({
      type: 'object',
      properties: { p: { $ref: '#/$defs/Node' } },
      additionalProperties: false,
      $defs: operation.defs,
    })
  })

  test('two schemas of one name keep apart', async () => {
    const rest = { components: { schemas: { A: { type: 'string' } }, 'x-more': { A: { type: 'number' } } } }
    const parameters = ['schemas', 'x-more'].map((place) => ({
      name: place,
      in: 'query',
      schema: { $ref: `#/components/${place}/A` },
    }))
    expect((await operationOf({ parameters }, '/x', 'get', rest)).defs).toEqual({
      A: { type: 'string' },
      'A-2': { type: 'number' },
    })
  })
})

describe('security and servers', () => {
  const schemes = {
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        bearer: { type: 'http', scheme: 'Bearer' },
        odd: { type: 'handshake' },
      },
    },
    security: [{ key: [], bearer: [] }, {}],
  }

  test('alternatives of sets, the operation over the document, none where it says so', async () => {
    const key = { type: 'apiKey', name: 'key', in: 'header', parameter: 'X-Key' }
    const bearer = { type: 'http', name: 'bearer', scheme: 'bearer' }
    expect((await operationOf({}, '/x', 'get', schemes)).security).toEqual([[key, bearer], []])
    expect((await operationOf({ security: [{ bearer: ['scope'] }] }, '/x', 'get', schemes)).security).toEqual([
      [bearer],
    ])
    expect((await operationOf({ security: [] }, '/x', 'get', schemes)).security).toEqual([])
  })

  test('what is not understood is noted', async () => {
    const document = await read(withPaths({ '/x': { get: { security: [{ odd: [] }] } } }, schemes))
    expect(document.notes).toEqual([
      '#/components/securitySchemes/odd: the security scheme odd is of no kind that OpenAPI has; it is left out.',
      '#/paths/~1x/get/security/0: the security scheme odd is not declared; this alternative is left out.',
    ])
  })

  test('variables at their defaults, the nearest level, relative ones as they are where there is no URL', async () => {
    const servers = [
      { url: 'https://{host}.example/{v}', variables: { host: { default: 'eu' }, v: { default: 'v1' } } },
      { url: '/api' },
      { url: '{x}' },
    ]
    const document = await read(
      withPaths(
        {
          '/x': { servers: [{ url: 'https://up.example' }], get: {}, put: { servers: [{ url: '/put' }] } },
          '/y': { get: {} },
        },
        { servers },
      ),
    )
    expect(document.servers).toEqual(['https://eu.example/v1', '/api'])
    const of = async (id: string): Promise<readonly string[]> => (await document.operation(id)).servers
    expect([await of('get-x'), await of('put-x'), await of('get-y')]).toEqual([
      ['https://up.example'],
      ['/put'],
      document.servers,
    ])
    expect(document.notes).toEqual(['#/servers/2: the server {x} has a variable without a default; it is left out.'])
  })
})
