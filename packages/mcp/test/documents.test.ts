import { fileURLToPath } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { createMcpServer, retryPolicy } from '@sluice/mcp'
import { inputSchema, type JsonSchema, readDocument } from '@sluice/openapi'
import { expect, test } from 'vitest'
import { connected } from './in-memory.js'
import { serve } from './server.js'

/** Documents that nobody here wrote. Not `import.meta.resolve`: they export no such files. */
const installed = (name: string): string => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url))

type Schema = Readonly<Record<string, unknown>>

/** A value that fits a schema, as far as simple ones go. */
function sampleOf(schema: unknown, defs: Schema, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 8) return 'x'
  const { $ref, allOf, anyOf, oneOf, ...own } = schema as Schema
  if (typeof $ref === 'string') return sampleOf(defs[$ref.replace('#/$defs/', '')], defs, depth + 1)
  const parts = [allOf, anyOf, oneOf].find(Array.isArray)
  if (parts) {
    const values = (parts === allOf ? parts : parts.slice(0, 1)).map((part: unknown) => sampleOf(part, defs, depth + 1))
    return values.every((value) => typeof value === 'object') ? Object.assign({}, ...values) : values[0]
  }
  if ('const' in own) return own.const
  if (Array.isArray(own.enum)) return own.enum[0]
  if (Array.isArray(own.examples)) return own.examples[0]
  if ('default' in own) return own.default
  const [type] = [own.type].flat()
  if (type === 'integer' || type === 'number') return own.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array')
    return Array.from({ length: Number(own.minItems ?? 1) }, () => sampleOf(own.items, defs, depth + 1))
  if (type === 'object') return requiredOf(own, defs, depth + 1)
  const formats: Schema = {
    date: '2026-01-01',
    'date-time': '2026-01-01T00:00:00Z',
    uuid: crypto.randomUUID(),
    uri: 'https://x.example',
  }
  return formats[String(own.format)] ?? 'x'.repeat(Number(own.minLength ?? 1))
}

function requiredOf({ properties, required }: Schema, defs: Schema, depth = 0): Record<string, unknown> {
  const names = Array.isArray(required) ? required : []
  const schemas = (properties ?? {}) as Schema
  return Object.fromEntries(names.map((name: string) => [name, sampleOf(schemas[name], defs, depth)]))
}

const argumentsFor = (schema: JsonSchema): Record<string, unknown> => {
  const whole = schema as Schema // inputSchema() answers an object
  return requiredOf(whole, (whole.$defs ?? {}) as Schema)
}

test.each([
  '@directus/specs/dist/openapi.json',
  '@blockfrost/openapi/openapi.yaml',
  '@readme/oas-examples/3.0/json/petstore.json',
  '@readme/oas-examples/3.1/yaml/train-travel.yaml',
])('every operation of %s is a tool that waits out a throttle', { timeout: 120_000 }, async (name) => {
  const document = await readDocument(installed(name))
  const api = await serve((nth, response) => {
    if (nth % 2 === 1) response.writeHead(429, { 'retry-after': '0' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
  // The document's own bounds on what is sent are not what is tested.
  const policy = retryPolicy({ maxAttempts: 2, statedJitterMs: 0 })
  const server = await createMcpServer({ document, baseUrl: api.url, policy, include: ['*'], allowWrite: true })
  const client = await connected(server)
  const { tools } = await client.listTools()
  expect(tools.length).toBe(document.operations.length)

  const unfit: string[] = []
  let called = 0
  for (const [i, { id }] of document.operations.entries()) {
    const given = argumentsFor(inputSchema(await document.operation(id)))
    const result = (await client.callTool({ name: tools[i]?.name ?? '', arguments: given })) as CallToolResult
    const [text] = result.content
    if (text?.type === 'text' && text.text.includes('was not called')) unfit.push(text.text)
    else {
      called++
      expect([id, result.structuredContent]).toEqual([id, { ok: true }])
    }
  }
  expect(api.received).toHaveLength(2 * called)
  // Values are made up here; where a pattern asks for more the arguments are refused, with the reason.
  expect(unfit.length, unfit.join('\n')).toBeLessThan(document.operations.length / 10)
})
