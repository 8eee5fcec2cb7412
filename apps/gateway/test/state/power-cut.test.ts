import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import type { DurableSpool } from '@sluice/ingest'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { BatchKeys } from '../../src/ingest/batch-keys.js'
import { keysFirst } from '../../src/ingest/keys-first.js'
import { Slices } from '../../src/slices.js'
import { LineLog } from '../../src/state/line-log.js'
import { makeFolder } from '../../src/state/using-folder.js'
import { patient, run, SECRET, until } from '../running-gateway.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-power-'))
const folder = () => mkdtempSync(join(root, 'f-'))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => void vi.restoreAllMocks())
const slices = new Slices(() => systemClock.now())
const batch = (tenant: string) => ({
  ...{ source: `${tenant}/default/clicks`, key: 'k', bodyHash: 'h', atMs: 0, accepted: 1, quarantined: 0 },
})

/** All that is put on disk for good from now on, in turn. */
async function synced(): Promise<string[]> {
  const one = await open(root, 'r')
  await one.close()
  const of: FileHandle = Object.getPrototypeOf(one)
  const all: string[] = []
  for (const method of ['sync', 'datasync'] as const) {
    const real = of[method]
    vi.spyOn(of, method).mockImplementation(async function (this: FileHandle) {
      all.push(readlinkSync(`/proc/self/fd/${this.fd}`))
      await real.call(this)
    })
  }
  return all
}

it('a folder that is made is on disk, and so are those that it is in', async () => {
  const path = folder()
  const all = await synced()
  await makeFolder(join(path, 'a', 'b', 'c'))
  expect(all).toEqual([path, join(path, 'a'), join(path, 'a', 'b')])
  await makeFolder(join(path, 'a', 'b', 'c')) // which is there
  expect(all).toHaveLength(3)
})

it('a log that is begun is in its folder', async () => {
  const path = folder()
  const log = new LineLog({ path: join(path, 'log'), maxBytes: 10 })
  const all = await synced()
  for (const line of ['one', 'two', 'three']) await log.append([line], true)
  const file = join(path, 'log.ndjson')
  // "three" is in another file; before it the old one is put on disk once more, for lines that were added without.
  expect(all).toEqual([path, file, file, file, path, file])
  await log.close()
})

/** A spool that says what it marks as done. */
function spoolOf(done: (sequences: readonly number[]) => void): DurableSpool {
  const never = () => Promise.reject(new Error('not asked for here'))
  return {
    ...{ claims: [], append: never, claim: never, read: never, readParts: never, records: async function* () {} },
    ...{ backlog: () => ({ bytes: 0, oldestAtMs: null }), close: async () => {} },
    done: async (sequences) => done(sequences),
  }
}

it('keys are on disk before what they came with is marked as done, and are put there once', async () => {
  const path = folder()
  const keys = await BatchKeys.open(path, () => 0, slices)
  await Promise.all(['acme', 'globex', 'acme'].map((tenant) => keys.add(batch(tenant))))
  const all = await synced()
  const spool = keysFirst(
    spoolOf((sequences) => void all.push(`done ${sequences}`)),
    () => keys.sync(),
    (error) => expect.unreachable(String(error)),
  )
  await spool.done([1, 2])
  const files = readdirSync(path).map((name) => join(path, name))
  expect([all.slice(0, 2).sort(), all.slice(2)]).toEqual([files.sort(), ['done 1,2']])
  await spool.done([3])
  expect(all.slice(3)).toEqual(['done 3'])
  await keys.close()
})

it('what is written is marked all the same where keys cannot be put on disk, and they are tried again', async () => {
  const path = folder()
  const keys = await BatchKeys.open(path, () => 0, slices)
  await Promise.all(['acme', 'globex'].map((tenant) => keys.add(batch(tenant))))
  const all = await synced()
  const of: FileHandle = Object.getPrototypeOf(await open(path, 'r').then((it) => it.close().then(() => it)))
  vi.spyOn(of, 'datasync').mockRejectedValueOnce(new Error('EIO: i/o error, fdatasync'))
  const said: string[] = []
  const done: (readonly number[])[] = []
  const spool = keysFirst(
    spoolOf((sequences) => void done.push(sequences)),
    () => keys.sync(),
    (error) => void said.push(String(error)),
  )
  await spool.done([1])
  expect([said, done, all]).toEqual([['Error: EIO: i/o error, fdatasync'], [[1]], [expect.any(String)]])
  await spool.done([2])
  expect([said.length, done, new Set(all).size]).toEqual([1, [[1], [2]], 2])
  await keys.close()
})

it('a gateway has the key of a batch on disk before it marks the batch as done', async () => {
  const spoolDir = folder()
  const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin'] as const }]
  const gateway = await run({ tokens, datasets: [], pipes: [], spoolDir, breaker: patient })
  const of = '/v1/datasources/clicks'
  const ask = (method: string, path: string, body: unknown, headers = {}) =>
    gateway.get(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const definition = { columns: [{ name: 'id', type: 'UInt32' }], plan: { flush_interval_ms: 10 } }
  expect((await ask('PUT', of, definition)).status).toBe(201)
  const all = await synced()
  const sent = await ask('POST', `${of}/events?wait=true`, [{ id: 1 }], { 'idempotency-key': 'k' })
  expect(sent.status).toBe(200)
  // Its record, its claim, and that both are done.
  const spooled = () => all.filter((path) => path.endsWith('.spool')).length
  await until('it is marked', () => spooled() === 3)
  const order = all.map((path) => path.slice(spoolDir.length + 1).replace(/\/.*/, ''))
  expect(order.lastIndexOf('keys')).toBeGreaterThan(order.indexOf('events'))
  expect(order.slice(-2)).toEqual(['keys', 'events'])
  const segments = readdirSync(join(spoolDir, 'events')).map((name) => statSync(join(spoolDir, 'events', name)))
  expect(segments.map(({ mode }) => mode & 0o777)).toEqual([0o600])
  await gateway.close()
})
