import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generous, type RunningGateway, run, SECRET } from '../running-gateway.js'
import { hasNginx, type Nginx, startNginx } from './nginx.js'
import { OPERATIONS_PAGE, stepsOf } from './page.js'

const docs = new URL('../../../../docs/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'sluice-serving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

function fileOf(name: string): string {
  const file = stepsOf(OPERATIONS_PAGE).find((it) => it.kind === 'file' && it.name === name)
  if (file?.kind !== 'file') throw new Error(`The page shows no ${name}.`)
  return file.content
}

describe.skipIf(!hasNginx)('a gateway as docs/operations.md has it', () => {
  let gateway: RunningGateway
  let nginx: Nginx
  beforeAll(async () => {
    const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin', 'operator'] as const }]
    gateway = await run({ tokens, plans: generous, datasets: [], pipes: [], spoolDir: join(folder, 'spool') })
    nginx = await startNginx(fileOf('sluice.conf'), gateway.url)
    const plan = { requests_per_second: 1000, burst: 1000, rows_per_second: 100_000 }
    const columns = [{ name: 'text', type: 'String' }]
    const body = JSON.stringify({ columns, plan })
    const headers = { 'content-type': 'application/json' }
    expect((await gateway.get('/v1/datasources/clicks', { method: 'PUT', headers, body })).status).toBe(201)
  })
  afterAll(async () => {
    await nginx?.close()
    await gateway?.close()
  })

  /** Events through nginx, in pieces of unknown number or with a length. */
  const post = (body: string, isChunked: boolean, base: string) =>
    new Promise<{ status: number; type: string | undefined; text: string }>((resolve, reject) => {
      const length = isChunked ? {} : { 'content-length': Buffer.byteLength(body) }
      const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/x-ndjson', ...length }
      const sent = request(`${base}/v1/datasources/clicks/events`, { method: 'POST', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'], text }),
        )
      })
      sent.on('error', reject)
      sent.write(body) // its end comes by itself, so that it has no length of Node's making
      sent.end()
    })
  const rowOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) })

  it('takes through nginx the largest body that it takes itself, and says itself what is too large', async () => {
    const most = Array.from({ length: 10 }, () => rowOf(1_048_576 - 12)).join('\n') // 10 MiB less one byte
    expect(Buffer.byteLength(most)).toBe(10 * 1_048_576 - 1)
    expect(await post(most, false, nginx.url)).toMatchObject({ status: 202 })
    const large = await post(`${most}\n\n`, false, nginx.url)
    expect([large.status, large.type]).toEqual([413, 'application/problem+json'])
  })

  it('takes through nginx a body without a length, which it does not take itself', async () => {
    expect((await post(rowOf(9), true, gateway.url)).status).toBe(411)
    expect((await post(rowOf(9), true, nginx.url)).text).toContain('"accepted":1')
  })

  it('streams through nginx without waiting for more', async () => {
    const headers = { authorization: `Bearer ${SECRET}` }
    const stream = await fetch(`${nginx.url}/v1/status/stream`, { headers })
    const reader = stream.body?.getReader()
    const first = await reader?.read()
    await reader?.cancel()
    expect(new TextDecoder().decode(first?.value)).toMatch(/^event: status\ndata: \{"state":"/)
  })

  it('has every metric that the page names, with the labels that it gives them', async () => {
    await post(`${rowOf(1)}\n{"text":1}`, false, gateway.url)
    const metrics = await (await gateway.get('/metrics')).text()
    const named = [...OPERATIONS_PAGE.matchAll(/`(sluice_\w+)(?:\{([^}]*)\})?/g)]
    expect(named.length).toBeGreaterThan(12)
    for (const [, name = '', labels = ''] of named) {
      const lines = metrics.split('\n').filter((line) => new RegExp(`^${name}(_bucket)?[{ ]`).test(line))
      expect(lines, name).not.toEqual([])
      const isValued = /^(operation|state)=/ // what others are called differs
      for (const label of labels.split(',').filter((it) => isValued.test(it)))
        expect(lines.join('\n'), `${name} ${label}`).toContain(label)
    }
  })

  it('is ready and healthy', async () => {
    for (const [path, status] of [
      ['/readyz', 'ready'],
      ['/healthz', 'ok'],
    ] as const)
      expect(await (await fetch(`${nginx.url}${path}`)).json()).toEqual({ status })
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined

it.skipIf(!hasSystemd)('systemd understands the unit', () => {
  const unit = join(folder, 'sluice-gateway.service')
  writeFileSync(unit, fileOf('sluice-gateway.service').replace('/usr/local/bin/sluice-gateway', process.execPath))
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  // It may have something to say of the machine's own units, which are none of ours.
  const ours = stderr.split('\n').filter((line) => line.includes('sluice-gateway'))
  expect([ours, status]).toEqual([[], 0])
})

it('its links lead somewhere', () => {
  const links = [...OPERATIONS_PAGE.matchAll(/\]\(([^)#\s]*)(?:#([^)]+))?\)/g)]
  expect(links.length).toBeGreaterThan(30)
  const broken = links.filter(([, path = '', anchor]) => {
    const target = new URL(path === '' ? 'operations.md' : path, docs)
    if (!existsSync(target)) return true
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
