import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { lockFolder } from '../../src/state/folder-lock.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-lock-'))
const folder = () => mkdtempSync(join(root, 'f-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('lockFolder', () => {
  const never = (error: Error) => {
    throw error
  }
  const lock = (path: string, clock: Clock = systemClock, onLost: (error: Error) => void = never) =>
    lockFolder(path, { clock, onLost })
  /** As another container of the same host name would have it: its processes are not to be seen from here. */
  const elsewhere = async (path: string): Promise<string> => {
    const mine = await lock(path)
    const text = JSON.stringify({ ...JSON.parse(readFileSync(join(path, 'lock'), 'utf8')), space: 'pid:[1]' })
    await mine()
    writeFileSync(join(path, 'lock'), text)
    return text
  }

  it('takes over what one in another container left, after ten seconds in which it showed nothing', async () => {
    const path = folder()
    await elsewhere(path)
    const clock = new VirtualClock()
    let unlock: (() => Promise<void>) | undefined
    const locking = lock(path, clock).then((it) => {
      unlock = it
    })
    for (let i = 0; i < 10; i++) {
      await vi.waitFor(() => expect(clock.pending()).toBe(1))
      expect([unlock, clock.now()]).toEqual([undefined, i * 1000])
      await clock.advance(1000)
    }
    await locking
    await unlock?.()
    expect(readdirSync(path)).toEqual([])
  })

  it('refuses what one in another container has, which shows every two seconds that it is there', async () => {
    const path = folder()
    const text = await elsewhere(path)
    const clock = new VirtualClock()
    const locking = expect(lock(path, clock)).rejects.toThrow(
      `is in use by process ${process.pid} of another container`,
    )
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    utimesSync(join(path, 'lock'), 1, 1)
    await clock.advance(1000)
    await locking
    expect([readFileSync(join(path, 'lock'), 'utf8'), readdirSync(path)]).toEqual([text, ['lock']])
  })

  it('shows every two seconds that it is there, and tells when another has taken it', async () => {
    const path = folder()
    const clock = new VirtualClock(50_000)
    const lost: string[] = []
    const unlock = await lock(path, clock, (error) => void lost.push(error.message))
    await clock.advance(2000)
    await vi.waitFor(() => expect([statSync(join(path, 'lock')).mtimeMs, clock.pending()]).toEqual([52_000, 1]))
    // Where it cannot be read, nobody has taken it: as where no more files may be open.
    rmSync(join(path, 'lock'))
    mkdirSync(join(path, 'lock'))
    await clock.advance(2000)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    expect(lost).toEqual([])
    rmSync(join(path, 'lock'), { recursive: true })
    writeFileSync(join(path, 'lock'), 'another’s')
    await clock.advance(2000)
    await vi.waitFor(() =>
      expect(lost).toEqual([`${join(path, 'lock')} is another process's by now; this one writes there no more`]),
    )
    expect(clock.pending()).toBe(0)
    await unlock()
  })

  it('gives a folder to one at a time', async () => {
    const path = folder()
    const unlock = await lock(path)
    await expect(lock(path)).rejects.toThrow(`options: spoolDir ${path} is in use by process ${process.pid}`)
    await unlock()
    await (await lock(path))()
    expect(readdirSync(path)).toEqual([])
  })

  it('gives one of many that come at once the folder of a process that was killed', async () => {
    const path = folder()
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    const mine = await lock(path)
    const holder = JSON.parse(readFileSync(join(path, 'lock'), 'utf8'))
    await mine()
    writeFileSync(join(path, 'lock'), JSON.stringify({ ...holder, pid: child.pid, since: 'another start' }))
    child.kill('SIGKILL')
    await once(child, 'close')
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lock(path)))
    const locked = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
    expect([locked.length, readdirSync(path)]).toEqual([1, ['lock']])
    await locked[0]?.() // or it would show that it is there, until the folder is not
  })

  it('does not guess about another machine, nor mind a lock that was never finished', async () => {
    const path = folder()
    writeFileSync(join(path, 'lock'), '{"host":"elsewhere","pid":1,"since":"x"}')
    await expect(lock(path)).rejects.toThrow('was taken by process 1 on elsewhere; where that is gone, remove')
    writeFileSync(join(path, 'lock'), '{"host":')
    await (await lock(path))()
  })
})
