import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../contract/document.js'
import { run } from '../running-gateway.js'
import { SECRETS, startTenants, type Tenants } from './tenants.js'

const UNKNOWN = 'a-secret-that-nobody-has-1'
const ofSource = operations.filter(
  (it) => it.path.startsWith('/v1/datasources/{name}') || it.path === '/v1/pipes/{name}',
)

describe('what belongs to others', () => {
  let tenants: Tenants
  beforeAll(async () => {
    tenants = await startTenants()
  })
  afterAll(() => tenants.close())

  // Its name is looked up among one's own: that others have one like it is not to be told from that nobody has.
  it.each(ofSource.map((it) => [it.operation.operationId, it] as const))(
    'is not there: %s',
    async (id, { method, path }) => {
      const bodies: Record<string, unknown> = { sendEvents: [{ id: 1 }], putRoute: { node: 'clickhouse-1' } }
      if (/^put(DataSource|Pipe)$/.test(id)) return // they make one's own of that name
      const answers = []
      for (const name of ['secrets', 'nothing'])
        for (const as of ['acme', 'reader'] as const) {
          const { status, text } = await tenants.ask(`${method} ${path.replace('{name}', name)}`, as, bodies[id])
          answers.push([as, status, text.replaceAll(name, 'X')])
        }
      expect(answers.slice(0, 2)).toEqual(answers.slice(2))
      expect(answers.map(([, status]) => status)).toEqual([404, 403, 404, 403])
    },
  )

  it('is not reached by its name, nor by naming its tenant', async () => {
    for (const name of ['../globex/secrets', 'globex/default/secrets', '..%2F..%2Fglobex%2Fdefault%2Fsecrets'])
      expect((await tenants.ask(`GET /v1/datasources/${encodeURIComponent(name)}`, 'acme')).status).toBe(404)
    const named = await tenants.ask('GET /v1/datasources/secrets', 'acme', undefined, { 'x-tenant-id': 'globex' })
    expect([named.status, named.json.type]).toEqual([403, 'urn:sluice:problem:other-tenant'])
    for (const dataset of ['../globex', 'a/b', 'default/../../globex']) {
      const asked = await tenants.ask('GET /v1/datasources', 'acme', undefined, { 'x-dataset-id': dataset })
      expect(asked.status).toBe(400)
    }
    expect((await tenants.ask('POST /v1/datasources/secrets/backlog/export', 'acme')).text).not.toContain('THE SECRET')
    for (const path of ['/v1/status', '/v1/notices', '/v1/datasources', '/v1/pipes', '/metrics'])
      for (const as of ['acme', 'reader'] as const)
        expect((await tenants.ask(`GET ${path}`, as)).text).not.toMatch(/globex|secrets/)
  })

  it('as tokens are, is nowhere in what the gateway writes or says', async () => {
    const { gateway, folder, ask } = tenants
    const said: string[] = []
    for (const secret of [...SECRETS, UNKNOWN])
      for (const path of ['/v1/status', '/v1/pipes/nope', `/v1/pipes/x?token=1`, '/metrics', '/nowhere']) {
        const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${secret}` } })
        said.push(await response.text(), JSON.stringify([...response.headers]))
      }
    await ask('PUT /v1/datasources/clicks', 'acme', { columns: [{ name: 'other', type: 'Date' }] })
    await ask('POST /v1/datasources/clicks/events', 'acme', [{ id: 'bad' }], { 'idempotency-key': 'a-key' })
    await ask('PUT /v1/pipes/bad', 'acme', { sql: 'SELECT nothing FROM nowhere' })
    for (const as of ['acme', 'globex', 'reader'] as const)
      for (const path of ['notices', 'status', 'datasources/clicks/quarantine'])
        said.push((await ask(`GET /v1/${path}`, as)).text)
    await gateway.close()
    const files = filesIn(folder)
    const named = /^spool\/notices\/[0-9a-f]{32}\.ndjson$/
    const defined = /^spool\/data-sources\/[0-9a-f]{32}\.json$/
    const both = [named, defined].map((it) => expect.stringMatching(it))
    expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(both))
    const all = [...said, JSON.stringify(gateway.log), ...files.map(([, bytes]) => bytes.toString('latin1'))]
    // That it would be found: what is looked for is in what is looked through.
    expect(all.filter((it) => it.includes('THE SECRET')).length).toBeGreaterThan(0)
    for (const secret of [...SECRETS, UNKNOWN]) {
      const base64 = Buffer.from(secret).toString('base64')
      expect(all.filter((it) => it.includes(secret) || it.includes(base64))).toEqual([])
    }
  })

  it('is not in what a start says that fails', async () => {
    const token = { name: 'a b', token: 'a-secret-with-a-bad-name' }
    await expect(run({ tokens: [token] })).rejects.not.toThrow(token.token)
    await expect(run({ tokens: [{ name: 'a', token: 'short' }] })).rejects.not.toThrow('"short"')
  })
})

function filesIn(folder: string): (readonly [string, Buffer])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? [[name, readFileSync(path)] as const] : []
  })
}
