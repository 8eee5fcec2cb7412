import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withPaths } from './document.js'

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')

test('the snippet of the README does what it says', async () => {
  const snippet = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? expect.fail('there is no snippet')
  const parameters = [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }]
  const petstore = withPaths({ '/pets/{petId}': { get: { operationId: 'showPetById', parameters } } })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-openapi-'))
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await writeFile(join(folder, 'petstore.yaml'), JSON.stringify(petstore))
    const program = snippet
      .replace("'@sluice/openapi'", JSON.stringify(new URL('../../src/index.ts', import.meta.url).pathname))
      .replace("'petstore.yaml'", JSON.stringify(join(folder, 'petstore.yaml')))
    await writeFile(join(folder, 'program.ts'), program)
    await import(join(folder, 'program.ts'))
    const promised = /console\.log\(init.*\) \/\/ (.*)/.exec(snippet)?.[1]
    expect(log.mock.calls[1]?.join(' ')).toBe(promised)
  } finally {
    log.mockRestore()
    await rm(folder, { recursive: true })
  }
})

interface Field {
  readonly type: string
  readonly description: string
  readonly minimum?: number
  readonly enum?: readonly string[]
}

test('the table of fields is the one of the schema in spec', async () => {
  const path = createRequire(import.meta.url).resolve('@sluice/spec/schema/x-sluice-retry.schema.json')
  const { properties }: { properties: Record<string, Field> } = JSON.parse(await readFile(path, 'utf8'))
  const rows = Object.entries(properties).map(([name, { type, description, minimum, enum: values }]) => {
    const takes = values?.map((value) => `\`${value}\``).join(', ') ?? type
    return `| \`${name}\` | ${takes}${minimum === undefined ? '' : `, ${minimum} or more`} | ${description} |`
  })
  const table = /<!-- fields:start -->\n\n(.*?)\n\n<!-- fields:end -->/s.exec(readme)?.[1]
  expect(table?.split('\n')).toEqual(['| field | value | what it does |', '|---|---|---|', ...rows])
})
