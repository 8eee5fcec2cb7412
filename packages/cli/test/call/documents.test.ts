import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDocument } from '@sluice/openapi'
import { describe, expect, test } from 'vitest'
import { call } from './call.js'
import { mockServer } from './mock-server.js'
import { commandFor } from './synthesised.js'

const { resolve } = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'sluice-call-'))
const binary = join(folder, 'file.bin')
writeFileSync(binary, 'bytes')

/** Documents that nobody here wrote, and the gateway's. */
const DOCUMENTS: readonly (readonly [name: string, path: string, least: number])[] = [
  ['the gateway', resolve('@sluice/spec/openapi.yaml'), 20],
  ['directus', resolve('@directus/specs').replace(/[^/]+$/, 'dist/openapi.json'), 60],
  ['blockfrost', resolve('@blockfrost/openapi/openapi.yaml'), 60],
  ['readme', resolve('@readme/oas-examples/3.1/json/readme.json'), 20],
  ['train-travel', resolve('@readme/oas-examples/3.1/yaml/train-travel.yaml'), 6],
]

describe('every operation of a document against a server made from it, with a 429 first', () => {
  test.each(DOCUMENTS)('%s', async (_, path, least) => {
    const server = await mockServer(path)
    const document = await readDocument(path)
    expect(document.operations.length).toBe(server.operations.length)
    expect(document.operations.length).toBeGreaterThanOrEqual(least)
    const env = { SLUICE_OPENAPI: path, SLUICE_BASE_URL: server.url }
    let sends = 0
    for (const { id, method, path: template } of document.operations) {
      const operation = await document.operation(id)
      const args = commandFor(operation, { binary })
      // Where the document wants no retries the throttle is the end of it.
      const [wanted, met] = operation.retry.disabled ? [4, 1] : [0, 2]
      const { code, stderr } = await call(args, undefined, { fetch, env, random: () => 0 })
      expect({ args, code, stderr, met: server.met.slice(sends) }).toEqual({
        ...{ args, code: wanted, stderr: wanted === 0 ? '' : expect.stringContaining('rate limited') },
        met: Array(met).fill(`${method} ${template}`),
      })
      sends += met
    }
    expect(server.received).toHaveLength(sends)
  })
})
