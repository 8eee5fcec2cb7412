import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withPaths } from './document.js'

test('the snippet of the README does what it says', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
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
