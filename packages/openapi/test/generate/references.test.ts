// The generators read any file and fetch any URL that a reference names, wherever it stands: none must reach them.
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { closedReferences } from '../../src/generate/document/closed-references.js'
import { readSource } from '../../src/generate/document/read-source.js'

const A = { type: 'object' }
const withSchema = (schema: object, media: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: { '/a': { get: { responses: { default: { content: { 'application/json': { schema, ...media } } } } } } },
  components: { schemas: { A, default: A } },
})

/** What the generators see of a document. */
const seen = async (document: object): Promise<unknown> => {
  const { raw } = await readSource('-', undefined, { stdin: Readable.from([JSON.stringify(document)]) })
  return JSON.parse(JSON.stringify(raw, closedReferences(raw)))
}

const OUTSIDE = ['http://127.0.0.1:9/x.json', 'file:///etc/passwd', '/etc/passwd', 'other.yaml#/A', '../x.json']

describe('a reference of an answer', () => {
  test.each(OUTSIDE)('to %s is refused, with its place', async ($ref) => {
    const error: unknown = await seen(withSchema({ $ref })).catch((reason) => reason)
    expect(error).toMatchObject({ name: 'DocumentError', line: 1 })
    expect(String(error)).toContain(`responses/default/content/application~1json/schema/$ref: $ref ${$ref} points out`)
  })

  test('to nothing is refused', async () => {
    await expect(seen(withSchema({ $ref: '#/components/schemas/B' }))).rejects.toThrow('there is no B in')
  })

  test.each([
    { properties: { example: { $ref: 'x.json' } } },
    { properties: { 'x-a': { $ref: 'x.json' } } },
    { discriminator: { propertyName: 'a', mapping: { a: 'x.json' } } },
  ])('is found wherever it stands: %j', async (schema) => {
    await expect(seen(withSchema(schema))).rejects.toThrow('$ref x.json points out of the document')
  })

  test('within the document stands, by name and by pointer', async () => {
    const mapping = { a: 'A', b: '#/components/schemas/A' }
    const document = withSchema({ $ref: '#/components/schemas/default', discriminator: { propertyName: 'a', mapping } })
    expect(JSON.stringify(await seen(document))).toContain(JSON.stringify({ a: mapping.b, b: mapping.b }))
  })
})

test.each(OUTSIDE)('what only looks like a reference to %s, in data, is no mistake and not shown', async ($ref) => {
  const data = { example: { $ref }, 'x-a': { $ref }, default: [{ $ref }] }
  const document = withSchema(
    { type: 'object', ...data },
    { examples: { e: { externalValue: $ref, value: { $ref } } } },
  )
  expect(JSON.stringify(await seen(document))).not.toContain($ref)
})
