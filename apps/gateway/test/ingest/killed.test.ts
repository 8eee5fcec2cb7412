import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { patient, run, SECRET, until } from '../running-gateway.js'

const loader = fileURLToPath(new URL('loader.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'))
const authorization = `Bearer ${SECRET}`
const json = { authorization, 'content-type': 'application/json' }
const plan = { flush_interval_ms: 20, requests_per_second: 1e6, burst: 1e6, rows_per_second: 1e6 }
const columns = [
  { name: 'id', type: 'String' },
  { name: 'day', type: 'Date' },
]
const clicks = { columns, partition: { column: 'day', by: 'day' }, plan }
const ROWS = 5

/** Each is killed by the test, or else at its end. */
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A gateway in a process of its own. */
async function started() {
  const child = spawn(process.execPath, [loader, folder, SECRET], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, url, closed: once(child, 'close') }
}

const rowsOf = (batch: string) =>
  Array.from({ length: ROWS }, (_, i) => ({ id: `${batch}-${i}`, day: `2026-01-0${1 + (i % 3)}` }))

it('I4: kill -9 of the gateway under load, three times over: no acknowledged row is lost, and none is there twice', async () => {
  const acknowledged: string[] = []
  const unanswered: string[] = []
  let batches = 0
  for (let round = 0; round < 3; round++) {
    const { child, url, closed } = await started()
    const put = await fetch(`${url}/v1/datasources/clicks`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify(clicks),
    })
    expect([200, 201]).toContain(put.status)
    const post = async (batch: string): Promise<boolean> => {
      const headers = { ...json, 'idempotency-key': batch }
      const request = { method: 'POST', headers, body: JSON.stringify(rowsOf(batch)) }
      const status = await fetch(`${url}/v1/datasources/clicks/events`, request).then(
        (it) => it.status,
        () => 0,
      )
      if (status !== 202) return false
      acknowledged.push(batch)
      return true
    }
    // What was lost with the last process is sent again, under its key: it may have been taken, and is taken once.
    for (const batch of unanswered.splice(0)) expect(await post(batch)).toBe(true)
    const enough = acknowledged.length + 40 + 37 * round
    const load = async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const batch = `b${batches++}`
        if (!(await post(batch))) return unanswered.push(batch)
        if (acknowledged.length > enough) child.kill('SIGKILL')
      }
    }
    await Promise.all([load(), load(), load(), load()])
    await closed
    expect(child.signalCode).toBe('SIGKILL')
  }
  expect(unanswered.length).toBeGreaterThan(0)

  const tokens = [{ name: 'admin', token: SECRET, scopes: ['admin'] as const }]
  const gateway = await run({ tokens, datasets: [], pipes: [], spoolDir: folder, breaker: patient })
  const get = async (path: string) => (await gateway.get(path)).json()
  await until('all is written', async () => (await get('/v1/datasources/clicks/backlog')).rows === 0)
  const body = JSON.stringify({ sql: 'SELECT id, count() AS times FROM clicks GROUP BY id' })
  await gateway.get('/v1/pipes/all', { method: 'PUT', headers: json, body })
  const rows: { id: string; times: string }[] = (await get('/v1/pipes/all')).data
  expect(rows.filter(({ times }) => times !== '1')).toEqual([])
  const there = new Set(rows.map(({ id }) => id))
  expect(acknowledged.flatMap((batch) => rowsOf(batch)).filter(({ id }) => !there.has(id))).toEqual([])
  // Of a batch without an answer all is there, or nothing.
  const known = new Set(acknowledged)
  for (const batch of unanswered)
    if (!known.has(batch)) expect([0, ROWS]).toContain(rowsOf(batch).filter(({ id }) => there.has(id)).length)
  expect(acknowledged.length).toBeGreaterThan(200)
  await gateway.close()
}, 240_000)
