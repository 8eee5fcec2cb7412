import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../operations/free-port.js'
import { patternOf, sectionOf, stepsOf } from '../operations/page.js'
import { Shell } from '../operations/shell.js'
import { blockOf, clicks, rowsOf } from './store-node.contract.js'

const page = readFileSync(new URL('../../../../docs/nodes.md', import.meta.url), 'utf8')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'sluice-debian-'))
let shell: Shell
beforeAll(() => {
  shell = new Shell(folder)
})
afterAll(async () => {
  await shell.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('docs/nodes.md starts Debian’s server, as its settings for the gateway want it', async () => {
  const port = await freePort()
  const here = (text: string) => text.replaceAll('8123', String(port))
  for (const step of stepsOf(sectionOf(page, "### Debian's server"))) {
    if (step.kind === 'file') writeFileSync(join(folder, step.name), here(step.content))
    else expect(await shell.run(here(step.command)), step.command).toMatch(patternOf(step.prints))
  }
  const { nodes } = parse(readFileSync(join(folder, 'gateway.yaml'), 'utf8'))
  const node = new ServerNode({ ...nodes[0], logger: silent })
  await node.start()
  await node.define(clicks, never)
  await node.insert(blockOf('first', rowsOf(3)), never)
  const sql = 'SELECT count() AS n FROM clicks'
  const { body } = await node.query({ sql, params: {}, namespace: 'acme/web', timeoutMs: 5000 }).answer
  expect(JSON.parse(body).data).toEqual([{ n: '3' }])
  await node.close()
})
