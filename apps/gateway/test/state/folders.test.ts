import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flights } from '@sluice/gateway'
import { afterAll, describe, expect, it } from 'vitest'
import { mountSmallDisk, type SmallDisk } from '../../soak/small-disk.js'
import { fileNameOf } from '../../src/state/line-log.js'
import { isAlive, run } from '../running-gateway.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-folders-'))
const plain = { datasets: [], pipes: [] }
const isRoot = process.getuid?.() === 0

/** How a start is refused. */
const refused = async (options: Parameters<typeof run>[0]) => {
  const started = run({ ...plain, ...options })
  const error: unknown = await started.then((it) => it.close()).catch((it: unknown) => it)
  if (!(error instanceof Error)) throw new Error('it was started')
  return { code: (error as { code?: unknown }).code, message: error.message }
}
const bad = (message: string) => ({ code: 'BAD_CONFIG', message })

/** As root may do anything, it is somebody else meanwhile. */
async function unprivileged<T>(act: () => Promise<T>): Promise<T> {
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a folder that cannot be used is named at the start, with what the system says and what to do', () => {
  it('where it is no folder', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    const remedy = 'what is there is no folder; move it away, or name a folder'
    expect(await refused({ spoolDir: file })).toEqual(
      bad(`options: spoolDir ${file} cannot be used (EEXIST: file already exists, mkdir '${file}'); ${remedy}`),
    )
    const below = join(file, 'a')
    expect(await refused({ spoolDir: below })).toEqual(
      bad(`options: spoolDir ${below} cannot be used (ENOTDIR: not a directory, mkdir '${below}'); ${remedy}`),
    )
    expect((await refused({ dataDir: file })).message).toMatch(`options: dataDir ${file} cannot be used (EEXIST: `)
    const page = mkdtempSync(join(root, 'page-'))
    for (const name of ['index.html', 'assets']) writeFileSync(join(page, name), '')
    expect((await refused({ consoleDir: page })).message).toMatch(
      `options: consoleDir ${page} cannot be used (ENOTDIR: `,
    )
  })

  it('where what it holds is none, once the engine is there: that ends too', async () => {
    const spoolDir = mkdtempSync(join(root, 'spool-'))
    const events = join(spoolDir, 'events')
    writeFileSync(events, '')
    const { message } = await refused({ spoolDir })
    expect(message).toMatch(
      `options: spoolDir ${spoolDir} cannot be used (EEXIST: file already exists, mkdir '${events}')`,
    )
    expect(readdirSync(spoolDir)).not.toContain('lock')
    rmSync(events)
    await (await run({ ...plain, spoolDir })).close() // nothing else is wrong with it, and nobody has it
  })

  it('where it is of another user', async () => {
    const spoolDir = mkdtempSync(join(root, 'theirs-'))
    if (!isRoot) rmSync(spoolDir, { recursive: true })
    if (!isRoot) mkdirSync(spoolDir, { mode: 0o500 })
    const { code, message } = await unprivileged(() => refused({ spoolDir }))
    expect(code).toBe('BAD_CONFIG')
    expect(message).toMatch(
      /^options: spoolDir \S+ cannot be used \(EACCES: permission denied, \w+ '\S+'\); give it to the user/,
    )
  })
})

// A file system of its own is root's to mount: elsewhere these are told as skipped.
describe.skipIf(!isRoot)('a disk of a few megabytes', () => {
  let disks = 0
  const withDisk = async (megabytes: number, act: (disk: SmallDisk) => Promise<void>) => {
    const disk = mountSmallDisk(join(root, `disk-${++disks}`), megabytes)
    try {
      await act(disk)
    } finally {
      disk.unmount()
    }
  }
  const fill = ({ folder, freeBytes }: SmallDisk) => writeFileSync(join(folder, 'fill'), Buffer.alloc(freeBytes))

  it('that is full is named, with where room is to be made, and nothing is left on it', () =>
    withDisk(1, async (disk) => {
      fill(disk)
      const spoolDir = join(disk.folder, 'spool')
      const said = 'ENOSPC: no space left on device, write'
      const message = `options: spoolDir ${spoolDir} cannot be used (${said}); make room on its disk, or name another folder`
      expect(await refused({ spoolDir })).toEqual(bad(message))
      expect(readdirSync(spoolDir)).toEqual([])
    }))

  it('that the engine has too little of is named', () =>
    withDisk(1, async ({ folder: dataDir }) => {
      const { code, message } = await refused({ dataDir, datasets: [flights] })
      expect(code).toBe('ENGINE_FAILED')
      expect(message).toMatch(`The engine cannot fill its tables in ${dataDir}: Code: 243.`)
      expect(message).toMatch(/ Where its disk is full, make room on it, or name another folder\.$/)
    }))

  it('that is read-only is named as that, also where the folder is yet to be made', () =>
    withDisk(1, async ({ folder }) => {
      const spoolDir = join(folder, 'spool')
      mkdirSync(spoolDir)
      expect(spawnSync('mount', ['-o', 'remount,ro', folder]).status).toBe(0)
      const remedy = 'its file system is read-only; mount it for writing, or name another folder'
      expect((await refused({ spoolDir })).message).toMatch(`options: spoolDir ${spoolDir} cannot be used (EROFS: `)
      const below = join(folder, 'a', 'b')
      const said = `EROFS: read-only file system, mkdir '${join(folder, 'a')}'`
      expect(await refused({ spoolDir: below })).toEqual(
        bad(`options: spoolDir ${below} cannot be used (${said}); ${remedy}`),
      )
      expect((await refused({ dataDir: folder })).message).toMatch(`options: dataDir ${folder} cannot be used (EROFS: `)
    }))

  it('that is full when it closes keeps no gateway from ending, nor its engine', () =>
    withDisk(1, async (disk) => {
      const spoolDir = join(disk.folder, 'spool')
      // So that there is something to be saved.
      const file = `${fileNameOf(join(spoolDir, 'data-sources'), 'acme/default/clicks')}.json`
      const name = { tenant: 'acme', dataset: 'default', name: 'clicks' }
      mkdirSync(join(spoolDir, 'data-sources'), { recursive: true })
      writeFileSync(
        file,
        JSON.stringify({ ...name, created_at_ms: 0, definition: { columns: [{ name: 'id', type: 'String' }] } }),
      )
      const gateway = await run({ ...plain, spoolDir, dataDir: mkdtempSync(join(root, 'engine-')) })
      fill(disk)
      await gateway.close()
      expect(gateway.lastLine(({ message }) => message === 'state could not be saved')?.fields.error).toMatch('ENOSPC')
      expect([isAlive(gateway.enginePid()), readdirSync(spoolDir).includes('lock')]).toEqual([false, false])
      expect(statSync(join(spoolDir, 'events')).isDirectory()).toBe(true)
    }))
})
