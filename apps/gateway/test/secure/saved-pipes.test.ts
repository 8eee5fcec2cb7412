import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DefinitionFolder } from '../../src/state/definition-folder.js'
import { startTenants, type Tenants } from './tenants.js'

const saved = (name: string, sql: string) => ({
  ...{ tenant: 'acme', dataset: 'default', name },
  definition: { description: 'As it was.', sql, parameters: [] },
})
const own = saved('own', 'SELECT text FROM clicks -- a comment')
/** Each was saved by an earlier version, which took it. */
const refused = [
  [
    saved('theirs', "SELECT text AS x /* /* */ || '*/ FROM s_globex__default.secrets -- '"),
    'has a comment in a comment, which engines end at different places; take one out',
  ],
  [saved('everything', 'SELECT text FROM s_globex__default.secrets'), 'names the database s_globex__default; a pipe '],
  [
    saved('fetches', "SELECT 1 AS x FROM url('http://127.0.0.1:1/', LineAsString)"),
    'calls url, which reads what is no ',
  ],
] as const

describe('a pipe that an earlier version saved, and this one refuses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-saved-'))
  const onDisk = new DefinitionFolder(join(folder, 'spool', 'pipes'), z.custom<typeof own>())
  const kept = async () => new Map((await onDisk.read()).map((it) => [it.name, it]))
  let tenants: Tenants
  beforeAll(async () => {
    await onDisk.read() // makes the folder
    for (const it of [own, ...refused.map(([it]) => it)]) await onDisk.write(it)
    tenants = await startTenants({ spoolDir: join(folder, 'spool') })
  })
  afterAll(async () => {
    await tenants.close()
    rmSync(folder, { recursive: true })
  })

  it('does not run, and says why', async () => {
    for (const [{ name }, why] of refused) {
      const { status, json } = await tenants.ask(`GET /v1/pipes/${name}`, 'acme')
      expect([status, json.type]).toEqual([409, 'urn:sluice:problem:pipe-refused'])
      expect(json.detail.startsWith(`The SQL of "${name}" ${why}`), json.detail).toBe(true)
      expect(json.detail).toContain('. It is kept and does not run; save it with other SQL, or delete it.')
    }
    const logged = (name: string, fault: string) => ({
      ...{ level: 'warn', message: 'pipe refused' },
      fields: { pipe: `acme/default/${name}`, fault: expect.stringContaining(`its SQL ${fault}`) },
    })
    // What no engine has to be asked for is told at the start.
    expect(tenants.gateway.log.filter(({ message }) => message === 'pipe refused')).toEqual([
      logged('everything', refused[1][1]),
      logged('theirs', refused[0][1]),
    ])
  })

  it('stands before one of its name that every tenant has, and is in nobody’s way', async () => {
    expect((await tenants.ask('GET /v1/pipes/everything', 'globex')).status).toBe(200)
    expect((await tenants.ask('GET /v1/pipes/own', 'acme')).json.data).toEqual([{ text: 'a click' }])
    const { pipes } = (await tenants.ask('GET /v1/pipes', 'acme')).json
    expect(pipes.map((it: { name: string }) => it.name)).toEqual(['everything', 'fetches', 'own', 'theirs'])
  })

  it('is not lost, until it is saved with other SQL or deleted', async () => {
    const { sql, ...others } = own.definition
    expect((await tenants.ask('PUT /v1/pipes/other', 'acme', own.definition)).status).toBe(201)
    const all = [own, ...refused.map(([it]) => it), { ...own, name: 'other' }]
    expect(await kept()).toEqual(new Map(all.map((it) => [it.name, it])))
    expect((await tenants.ask('PUT /v1/pipes/theirs', 'acme', { ...others, sql })).status).toBe(200)
    expect((await tenants.ask('GET /v1/pipes/theirs', 'acme')).json.data).toEqual([{ text: 'a click' }])
    expect((await tenants.ask('DELETE /v1/pipes/everything', 'acme')).status).toBe(204)
    expect((await tenants.ask('GET /v1/pipes/everything', 'acme')).status).toBe(200)
    const left = [own, { ...own, name: 'theirs' }, refused[2][0], { ...own, name: 'other' }]
    expect(await kept()).toEqual(new Map(left.map((it) => [it.name, it])))
  })
})
