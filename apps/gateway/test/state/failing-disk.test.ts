import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { BatchKeys } from '../../src/ingest/batch-keys.js'
import { Quarantine } from '../../src/ingest/quarantine.js'
import { Slices } from '../../src/slices.js'
import { fileNameOf, LineLog } from '../../src/state/line-log.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-failing-'))
const folder = () => mkdtempSync(join(root, 'f-'))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => void vi.restoreAllMocks())
const slices = new Slices(() => systemClock.now())

const source = 'acme/default/clicks'
const batch = (key: string) => ({ source, key, bodyHash: 'h', atMs: 0, accepted: 1, quarantined: 0 })
const bad = (row: string) => [{ row, errors: [{ parameter: 'row', message: 'is not JSON' }] }]

/** What all handles of files have their methods from. */
async function handles(): Promise<FileHandle> {
  const one = await open(root, 'r')
  await one.close()
  return Object.getPrototypeOf(one)
}

/** The next append ends after so many bytes, as on a disk that is full. */
async function breakOff(bytes: number): Promise<void> {
  const of = await handles()
  const { appendFile } = of
  vi.spyOn(of, 'appendFile').mockImplementationOnce(async function (this: FileHandle, content) {
    await appendFile.call(this, Buffer.from(content as Uint8Array).subarray(0, bytes)) // a log appends bytes
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
}

describe('a write that the disk broke off takes nothing else along', () => {
  it.each([0, 1, 40])('of a log, after %i bytes', async (bytes) => {
    const path = join(folder(), 'log')
    const log = new LineLog({ path, maxBytes: 1000 })
    await log.append(['one'], false)
    await breakOff(bytes)
    await expect(log.append(['x'.repeat(60)], true)).rejects.toThrow('ENOSPC')
    await log.append(['three'], true)
    await log.append(['four'], false)
    const cut = bytes === 0 ? [] : ['x'.repeat(bytes)]
    expect(await log.read()).toEqual(['one', ...cut, 'three', 'four'])
    await log.close()
  })

  it('of a log, also where the line cannot be ended at first', async () => {
    const log = new LineLog({ path: join(folder(), 'log'), maxBytes: 1000 })
    await log.append(['one'], false)
    for (const bytes of [2, 0]) {
      await breakOff(bytes)
      await expect(log.append(['two'], true)).rejects.toThrow('ENOSPC')
    }
    await log.append(['three'], true)
    expect(await log.read()).toEqual(['one', 'tw', 'three'])
    await log.close()
  })

  it('of keys', async () => {
    const path = folder()
    const keys = await BatchKeys.open(path, () => 0, slices)
    await keys.add(batch('k1'))
    await breakOff(40)
    await expect(keys.add(batch('k2'))).rejects.toThrow('ENOSPC')
    for (const key of ['k3', 'k4']) await keys.add(batch(key))
    await keys.close()
    const again = await BatchKeys.open(path, () => 0, slices)
    const known = await Promise.all(['k1', 'k2', 'k3', 'k4'].map((key) => again.find(source, key)))
    expect(known.map((it) => it?.key)).toEqual(['k1', undefined, 'k3', 'k4'])
    await again.close()
  })

  it('of rows in quarantine', async () => {
    const quarantine = await Quarantine.open(folder(), () => 0, slices)
    await quarantine.add(source, bad('one'))
    await breakOff(30)
    await expect(quarantine.add(source, bad('two'))).rejects.toThrow('ENOSPC')
    expect(await quarantine.count(source)).toBe(1)
    await quarantine.add(source, bad('three'))
    expect((await quarantine.list(source)).map(({ row }) => row)).toEqual(['three', 'one'])
    expect(await quarantine.count(source)).toBe(2)
    // Written, and nobody knows whether for good: it is counted, as it is shown.
    vi.spyOn(await handles(), 'datasync').mockRejectedValueOnce(new Error('EIO: i/o error, fdatasync'))
    await expect(quarantine.add(source, bad('four'))).rejects.toThrow('EIO')
    expect([await quarantine.count(source), (await quarantine.list(source)).length]).toEqual([3, 3])
    await quarantine.close()
  })
})

it('quarantine holds no file open: there may be thousands of data sources', async () => {
  const path = folder()
  const quarantine = await Quarantine.open(path, () => 0, slices)
  const sources = Array.from({ length: 20 }, (_, i) => `acme/default/source_${i}`)
  await Promise.all(sources.flatMap((it) => [1, 2, 3].map((row) => quarantine.add(it, bad(String(row))))))
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return [] // it was that of this very look
    }
  })
  expect(open.filter((it) => it.startsWith(path))).toEqual([])
  expect(await Promise.all(sources.map((it) => quarantine.count(it)))).toEqual(sources.map(() => 3))
  await quarantine.close()
})

describe('a read that failed is read again, not remembered', () => {
  /** Stands for whatever makes one read fail, such as too many open files. */
  const unreadable = (path: string, name: string) => `${fileNameOf(path, name)}.ndjson`

  it('of keys', async () => {
    const path = folder()
    const keys = await BatchKeys.open(path, () => 0, slices)
    mkdirSync(unreadable(path, 'acme'))
    await expect(keys.find(source, 'k')).rejects.toThrow('EISDIR')
    await expect(keys.add(batch('k'))).rejects.toThrow('EISDIR')
    rmdirSync(unreadable(path, 'acme'))
    expect(await keys.find(source, 'k')).toBe(undefined)
    await keys.add(batch('k'))
    expect(await keys.find(source, 'k')).toEqual(batch('k'))
    await keys.close()
  })

  it('of rows in quarantine', async () => {
    const path = folder()
    const quarantine = await Quarantine.open(path, () => 0, slices)
    mkdirSync(unreadable(path, source))
    await expect(quarantine.add(source, bad('one'))).rejects.toThrow('EISDIR')
    rmdirSync(unreadable(path, source))
    await quarantine.add(source, bad('two'))
    expect((await quarantine.list(source)).map(({ id, row }) => [id, row])).toEqual([['q-00000001', 'two']])
    await quarantine.close()
    expect(readdirSync(path)).toHaveLength(1)
  })
})
