import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from '@sluice/openapi/generate'
import { expect, test } from 'vitest'
import { compile } from './compile.js'
import { driveAll } from './drive.js'
import { workshop } from './workshop.js'

const require = createRequire(import.meta.url)
const folder = workshop()

const DOCUMENTS = [
  {
    name: 'directus: 3.0, JSON',
    file: require.resolve('@directus/specs').replace(/index\.js$/, 'dist/openapi.json'),
    operations: 136,
  },
  { name: 'blockfrost: 3.0, YAML', file: require.resolve('@blockfrost/openapi/openapi.yaml'), operations: 129 },
  {
    name: 'train travel: 3.1, YAML',
    file: require.resolve('@readme/oas-examples/3.1/yaml/train-travel.yaml'),
    operations: 7,
  },
]

test.each(DOCUMENTS)(
  '$name: generates, compiles, and every operation retries',
  async ({ name, file, operations }) => {
    const output = join(folder, name.split(':')[0] ?? '')
    const result = await generate({ document: file, output })
    expect(result.operations).toBe(operations)

    const files = Object.fromEntries(result.files.map((path) => [path, readFileSync(join(output, path), 'utf8')]))
    expect(
      readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ).toHaveLength(result.files.length)
    // No trace of this machine, and no time.
    for (const text of Object.values(files))
      expect(
        [tmpdir(), process.cwd(), new Date().toISOString().slice(0, 10)].filter((own) => text.includes(own)),
      ).toEqual([])

    const script = join(folder, `${name.split(':')[0]}-js`)
    expect(compile(output, script)).toEqual([])

    const driven = await driveAll(join(script, 'sdk.gen.js'))
    expect(driven).toHaveLength(operations)
    for (const { name, sends, status } of driven) {
      expect(sends, name).toHaveLength(2)
      expect(sends[0], name).toBe(sends[1])
      expect(status, name).toBe(200)
    }
    expect(new Set(driven.map(({ sends }) => sends[0])).size).toBeGreaterThan(operations * 0.9)
  },
  300_000,
)
