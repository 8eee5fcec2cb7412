import { describe, expect, test } from 'vitest'
import { closedReferences } from '../../src/generate/document/closed-references.js'
import { filterTags } from '../../src/generate/document/filter-tags.js'
import { targetOf } from '../../src/generate/document/raw.js'
import { withUniqueIds } from '../../src/generate/document/unique-ids.js'

const ref = ($ref: string): object => ({ $ref })
const answer = (schema: object): object => ({ '200': { content: { 'application/json': { schema } } } })
const document = {
  openapi: '3.0.3',
  tags: [{ name: 'pets' }, { name: 'people' }],
  paths: {
    '/pets': {
      parameters: [ref('#/components/parameters/page')],
      get: { tags: ['pets'], responses: answer(ref('#/components/schemas/Pet')), security: [{ key: [] }] },
      post: { tags: ['admin', 'pets'], responses: {} },
      put: { tags: ['people'], responses: answer(ref('#/components/schemas/Person')) },
    },
    '/people': {
      get: { tags: ['people'], responses: answer({ type: 'array', items: ref('#/components/schemas/Person') }) },
    },
    '/shared': ref('#/components/pathItems/shared'),
    '/untagged': { get: { responses: {} } },
    '/borrows': {
      get: {
        tags: ['borrowing'],
        responses: answer(ref('#/paths/~1people/get/responses/200/content/application~1json/schema')),
      },
    },
  },
  webhooks: { born: { post: { tags: ['pets'], responses: answer(ref('#/components/schemas/Person')) } } },
  'x-webhooks': { died: { post: { responses: answer(ref('#/components/schemas/Person')) } } },
  components: {
    schemas: {
      Pet: { discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } } },
      Cat: { allOf: [ref('#/components/schemas/Pet'), ref('#/components/schemas/a~1b')] },
      Dog: { properties: { tail: ref('#/components/schemas/Tail/properties/length') } },
      Tail: { properties: { length: { type: 'number' } } },
      'a/b': {},
      Person: { properties: { friend: ref('#/components/schemas/Person') } },
    },
    parameters: { page: { name: 'page', in: 'query' } },
    pathItems: { shared: { get: { tags: ['shared'], responses: {} } } },
    securitySchemes: { key: { type: 'apiKey' }, unused: { type: 'http' } },
  },
}

describe('a part by tags', () => {
  test('holds the tagged operations and all that they need, and no more', () => {
    const part = filterTags(document, ['pets'])
    expect(Object.entries(part.paths as object).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/pets', ['parameters', 'get', 'post']],
    ])
    const { schemas, ...others } = part.components as Record<string, object>
    expect(Object.keys(schemas ?? {})).toEqual(['Pet', 'Cat', 'Dog', 'Tail', 'a/b'])
    expect(others).toEqual({ parameters: document.components.parameters, securitySchemes: { key: { type: 'apiKey' } } })
    expect([part.tags, part.webhooks, part['x-webhooks']]).toEqual([[{ name: 'pets' }], undefined, undefined])
  })

  test('may be of several tags, and of path items that are referred to', () => {
    expect(Object.keys(filterTags(document, ['people', 'shared']).paths as object)).toEqual([
      '/pets',
      '/people',
      '/shared',
    ])
  })

  test('has in it what it borrowed from an operation that is gone', () => {
    const part = filterTags(document, ['borrowing'])
    expect(targetOf(part, '#/paths/~1borrows/get/responses/200/content/application~1json/schema')).toEqual({
      type: 'array',
      items: ref('#/components/schemas/Person'),
    })
    expect(Object.keys(targetOf(part, '#/components/schemas') as object)).toEqual(['Person'])
  })

  test('of a tag that is not there is refused, with a suggestion', () => {
    expect(() => filterTags(document, ['pets', 'poeple'])).toThrow(
      'no operation of this document has the tag poeple; did you mean people?',
    )
    expect(() => filterTags(document, ['zzzzzzzz'])).toThrow('there are pets, people, admin, shared, borrowing')
    expect(() => filterTags({ paths: {} }, ['a'])).toThrow('no operation of this document has a tag; got a')
  })
})

test('operations that share an operationId get those that they are read by', () => {
  const get = { operationId: 'same', responses: {} }
  const raw = { paths: { '/a': { get }, '/b': { get }, '/c': { get: { responses: {} } }, '/d': null } }
  const ids = [
    { id: 'same', method: 'GET', path: '/a' },
    { id: 'get-b', method: 'GET', path: '/b' },
    { id: 'get-c', method: 'GET', path: '/c' },
  ]
  expect(withUniqueIds(raw, ids).paths).toEqual({
    '/a': { get },
    '/b': { get: { operationId: 'get-b', responses: {} } },
    '/c': { get: { responses: {} } },
  })
})

test('a discriminator that names schemas refers to them', () => {
  const { Pet } = JSON.parse(JSON.stringify(document.components.schemas, closedReferences(document)))
  expect(Pet.discriminator.mapping).toEqual({ cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' })
})
