import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { argumentsOf, inputSchema, type JsonSchema, type Operation, readDocument, requestOf } from '../../src/index.js'

const require = createRequire(import.meta.url)
const examples = dirname(require.resolve('@readme/oas-examples/package.json'))

const documents = [
  { name: 'directus', path: join(dirname(require.resolve('@directus/specs')), 'dist/openapi.json'), operations: 136 },
  { name: 'blockfrost', path: require.resolve('@blockfrost/openapi/openapi.yaml'), operations: 129 },
  ...['3.0/json', '3.0/yaml', '3.1/json', '3.1/yaml'].flatMap((folder) =>
    readdirSync(join(examples, folder))
      .filter((file) => /\.(json|yaml)$/.test(file))
      .map((file) => ({ name: `${folder}/${file}`, path: join(examples, folder, file), operations: null })),
  ),
]

/** A value of a schema's type, as plain as can be. */
function sample(schema: JsonSchema): unknown {
  const type = typeof schema === 'object' ? [schema.type].flat()[0] : undefined
  return { integer: 1, number: 1, boolean: true, array: ['a'], object: { a: 'b' } }[String(type)] ?? 'x'
}

function refsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(refsOf)]
}

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })

/** Every operation has a schema that JSON Schema takes, its references lead somewhere, and a request can be made of it. */
function check(operation: Operation): void {
  const schema = inputSchema(operation)
  expect([operation.id, ajv.validateSchema(schema as object), ajv.errors]).toEqual([operation.id, true, null])
  for (const ref of refsOf({ ...operation, defs: Object.values(operation.defs) }))
    if (ref.startsWith('#/$defs/')) expect(Object.keys(operation.defs)).toContain(ref.slice('#/$defs/'.length))
  const resolved = (one: JsonSchema): JsonSchema =>
    typeof one === 'object' && typeof one.$ref === 'string' ? resolved(operation.defs[one.$ref.slice(8)] ?? true) : one
  const args = argumentsOf(operation).map(({ name, parameter }) => [name, sample(resolved(parameter.schema))])
  const body = operation.body && [
    'body',
    /json|form/.test(operation.body.content[0]?.contentType ?? '') ? { a: 'b' } : 'x',
  ]
  const request = requestOf(operation, Object.fromEntries(body ? [...args, body] : args), {
    baseUrl: 'https://a.example/base',
  })
  expect(new URL(request.url).pathname).toMatch(/^\/base\//)
  expect(request.url).not.toMatch(/[{}]/)
}

describe('documents that nobody here wrote', () => {
  test.each(documents)('$name', async ({ path, operations }) => {
    const document = await readDocument(path)
    if (operations !== null) expect(document.operations).toHaveLength(operations)
    expect(document.openapi).toMatch(/^3\.[01]\./)
    expect(new Set(document.operations.map(({ id }) => id)).size).toBe(document.operations.length)
    for (const { id } of document.operations) check(await document.operation(id))
    // Compiling them all takes minutes.
    for (const { id } of document.operations.slice(0, 3)) {
      const schema = inputSchema(await document.operation(id))
      expect(() => ajv.compile(schema as object)).not.toThrow()
    }
  })

  test('JSON and YAML of one document read the same', async () => {
    for (const version of ['3.0', '3.1'])
      for (const name of ['petstore', 'readme-extensions', 'security']) {
        const [json, yaml] = await Promise.all(
          ['json', 'yaml'].map((form) => readDocument(join(examples, version, form, `${name}.${form}`))),
        )
        const { operation: _, ...fromJson } = json ?? expect.fail('not read')
        expect(yaml).toMatchObject(fromJson)
      }
  })
})
