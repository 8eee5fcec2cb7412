import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from '../../src/run.js'
import type { World } from '../../src/world.js'
import { memoryWorld } from '../memory-world.js'

vi.setConfig({ testTimeout: 120_000 }) // a process for each generator, on a machine that may be busy

const root = mkdtempSync(join(tmpdir(), 'sluice-cli-generate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
let output: string
beforeEach(() => {
  output = join(root, String(++count))
})

const operation = (tag: string): object => ({ tags: [tag], responses: { '200': { description: 'fine' } } })
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': { get: operation('orders') }, '/people': { get: operation('people') } },
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** `sluice generate …`, of types alone unless told otherwise: they are quick. */
async function sluice(argv: readonly string[], world: Partial<World> = {}): Promise<Ran> {
  const { world: made, stdout, stderr } = memoryWorld({ argv: ['generate', ...argv], ...world })
  return { code: await run(made), stdout: stdout(), stderr: stderr() }
}
const fromStdin = (document: object | string, ...more: string[]): Promise<Ran> => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return sluice(['-', '-o', output, '--types-only', ...more], { stdin: Readable.from([Buffer.from(text)]) })
}

describe('sluice generate', () => {
  test('says nothing where nobody watches', async () => {
    expect(await fromStdin(DOCUMENT)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(output, 'schema.gen.ts'), 'utf8')).toContain('"/orders"')
    expect(existsSync(join(output, 'sdk.gen.ts'))).toBe(false)
  })

  test('tells a terminal how far it is', async () => {
    const { stderr } = await sluice(['-', '-o', output, '--types-only'], {
      stdin: Readable.from([JSON.stringify(DOCUMENT)]),
      isTTY: { stdout: false, stderr: true },
      env: { NO_COLOR: '1' },
    })
    expect(stderr).toBe(`reading stdin\ngenerating 2 operations\n2 operations, 7 files in ${output}\n`)
  })

  test('--check: 0 where it is fresh, 1 and a diff where it is stale', async () => {
    await fromStdin(DOCUMENT)
    expect(await fromStdin(DOCUMENT, '--check')).toEqual({ code: 0, stdout: '', stderr: '' })
    const changed = { ...DOCUMENT, info: { title: 'Shop', version: '2' } }
    const { code, stdout, stderr } = await fromStdin(changed, '--check')
    expect([code, stderr]).toEqual([
      1,
      `Error: ${output} is stale: 1 file would change; run the same command without --check\n`,
    ])
    expect(stdout).toContain('--- README.md\n+++ README.md\n@@ -1,3 +1,3 @@\n-# Shop 1\n+# Shop 2\n')
    expect(readFileSync(join(output, 'README.md'), 'utf8')).toContain('# Shop 1')
  })

  test('--tags: a part, and again the whole', async () => {
    expect((await fromStdin(DOCUMENT, '--tags', 'orders')).code).toBe(0)
    expect(readFileSync(join(output, 'schema.gen.ts'), 'utf8')).not.toContain('"/people"')
    expect((await fromStdin(DOCUMENT, '--tags', 'orders,', '--tags', ' people', '--check')).code).toBe(1)
  })

  test('a URL whose server throttles first; what could not be carried over is told', async () => {
    const document = { ...DOCUMENT, 'x-speakeasy-retries': { strategy: 'backoff', statusCodes: ['5XX', '408'] } }
    let asked = 0
    const server = createServer((_, response) => {
      if (asked++ === 0) response.writeHead(429, { 'retry-after': '0' }).end()
      else response.end(JSON.stringify(document))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const ran = await sluice([`http://127.0.0.1:${port}/openapi.json?key=s3cret`, '-o', output, '--types-only'])
    await new Promise((resolve) => server.close(resolve))
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(asked).toBe(2)
    expect(ran.stderr).toMatch(/^(Note: .*\n)+$/)
    expect(ran.stderr).toContain('statusCodes')
    const readme = readFileSync(join(output, 'README.md'), 'utf8')
    expect(readme).toContain('## Notes')
    expect(ran.stderr + readme).not.toContain('s3cret')
  })

  test.each([
    ['a document that is not JSON', '{"openapi": "3.1.0",\n "info": }', /^Error: <stdin>:2:10: /],
    ['a document of another kind', { swagger: '2.0' }, /this is Swagger 2\.0; convert it/],
    [
      'a retry setting that there is not',
      { ...DOCUMENT, 'x-sluice-retry': { maxAttempt: 3 } },
      /x-sluice-retry has no field maxAttempt/,
    ],
  ])('%s: exit 2', async (_, document, message) => {
    const { code, stdout, stderr } = await fromStdin(document)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(existsSync(output)).toBe(false)
  })

  test('no such file, no such tag, no tag at all: exit 2', async () => {
    expect(await sluice(['nowhere.yaml', '-o', output])).toEqual({
      ...{ code: 2, stdout: '', stderr: 'Error: nowhere.yaml: there is no such file\n' },
    })
    expect((await fromStdin(DOCUMENT, '--tags', 'a\\,b,orders')).stderr).toContain('has the tag a,b;')
    expect(await fromStdin(DOCUMENT, '--tags', 'order')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'Error: --tags: no operation of this document has the tag order; did you mean orders?\n',
    })
    expect((await fromStdin(DOCUMENT, '--tags', ',')).stderr).toBe('Error: --tags: name at least one tag\n')
    expect((await sluice(['x.yaml'])).stderr).toContain("required option '-o, --output <folder>' not specified")
  })

  test('a folder that holds something else: exit 2, and nothing is touched', async () => {
    const { code, stderr } = await sluice(['-', '-o', root], { stdin: Readable.from(['{']) })
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds files that `sluice generate` did not make')])
  })

  test('a document that a generator refuses: exit 1, with where it stands', async () => {
    const { code, stderr } = await fromStdin({ ...DOCUMENT, components: { schemas: { Order: 5 } } })
    expect([code, stderr]).toEqual([
      1,
      'Error: openapi-typescript could not generate from this document: Expected SchemaObject, received number at #/components/schemas/Order\n',
    ])
    expect(existsSync(output)).toBe(false)
  })

  test('a reference that leads nowhere, or out of the document: exit 2, with its place', async () => {
    for (const $ref of ['#/components/schemas/nowhere', 'http://127.0.0.1:9/x.json']) {
      const { code, stderr } = await fromStdin({ ...DOCUMENT, components: { schemas: { Order: { $ref } } } })
      expect(code).toBe(2)
      expect(stderr).toContain(`#/components/schemas/Order/$ref: $ref ${$ref} points `)
    }
  })

  test('interrupted: exit 130, and no folder', async () => {
    const file = join(root, 'interrupted.json')
    writeFileSync(file, JSON.stringify(DOCUMENT))
    const controller = new AbortController()
    const { world, stderr } = memoryWorld({
      argv: ['generate', file, '-o', output],
      isTTY: { stdout: false, stderr: true },
      signal: controller.signal,
    })
    const ended = run(world)
    await vi.waitFor(() => expect(stderr()).toContain('generating'), { timeout: 20_000, interval: 5 })
    controller.abort(new Error('interrupted'))
    expect([await ended, existsSync(output)]).toEqual([130, false])
    expect(stderr()).not.toContain('Error')
  })
})
