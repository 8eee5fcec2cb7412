import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fault, Spool } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { killedAfter } from '../killed-child.js'
import { bytesOf, firstNumberIn, settled, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()

/** What a run was told: what is kept, and what is done. */
interface Told {
  kept: Set<string>
  done: Set<string>
  /** Marks that were asked for, whatever came of them. */
  asked: Set<string>
}

const nothing = (): Told => ({ kept: new Set(), done: new Set(), asked: new Set() })
/** Of {@link work}: it is never done, so that all segments would stay but for what is copied. */
const PIN = 'kept all the time'

/** Appends, claims, marks and moves from segment to segment, as far as it gets. */
async function work(path: string, fault: Fault): Promise<Told> {
  const told = nothing()
  const points: string[] = []
  let isOpen = false
  const spool = await Spool.open(path, {
    ...{ groupMs: 0, segmentBytes: 150 },
    fault: (point) => {
      if (!isOpen) return
      points.push(point)
      try {
        return fault(point)
      } catch (error) {
        if (point.startsWith('before')) points.push('after it') // it will not come
        throw error
      }
    },
  })
  isOpen = true
  const append = async (payload: string): Promise<number | null> => {
    try {
      const sequence = await spool.append('a', bytesOf(payload))
      told.kept.add(payload)
      return sequence
    } catch {
      return null
    }
  }
  let open: { payload: string; sequence: number; round: number }[] = []
  const pin = await append(PIN)
  for (let round = 0; round < 5; round++) {
    // One claim of the pin is done, and one is not.
    for (const id of [`claim ${round}`, `written claim ${round}`])
      try {
        if (pin === null || round > 1) continue
        const rows = [[pin, round, round + 1] as const]
        const sequence = await spool.claim({ id, source: 'a', partition: 'p', node: 'n1', rows })
        told.kept.add(id)
        if (!id.startsWith('written')) continue
        told.asked.add(id)
        await spool.done([sequence])
        told.done.add(id)
      } catch {
        // it may be on disk or not, and so may its mark
      }
    const payloads = ['x', 'y', 'z'].map((name) => `${round}-${name}${'.'.repeat(40)}`)
    const sequences = await Promise.all(payloads.map(append))
    for (const [i, sequence] of sequences.entries())
      if (sequence !== null) open.push({ payload: payloads[i] ?? '', sequence, round })
    // Most of them at once, and what is left over two rounds later: segments go, and marks outlive what they mark.
    const chosen = open.filter((one, i) => round - one.round >= 2 || (i + round) % 3 < 2)
    for (const { payload } of chosen) told.asked.add(payload)
    try {
      await spool.done(chosen.map(({ sequence }) => sequence))
      for (const { payload } of chosen) told.done.add(payload)
      open = open.filter((one) => !chosen.includes(one))
    } catch {
      // the mark may be on disk or not
    }
    await settled(path, points)
  }
  await spool.close()
  return told
}

async function left(path: string): Promise<string[]> {
  const spool = await Spool.open(path, { groupMs: 0 })
  expect(spool.findings.damaged).toEqual([])
  const all: string[] = []
  let before = 0
  for await (const { sequence, payload } of spool.records()) {
    expect(sequence).toBeGreaterThan(before)
    before = sequence
    all.push(textOf(payload))
  }
  for (const { id, isDone } of spool.claims) if (!isDone) all.push(id)
  for (const { id, isDone } of spool.claims) expect([id, isDone && !id.startsWith('written')]).toEqual([id, false])
  await spool.close()
  return all
}

const judge = (found: string[], { kept, done, asked }: Told, at: string): void => {
  expect(new Set(found).size, `${at}: none is there twice`).toBe(found.length)
  for (const payload of kept)
    if (!asked.has(payload)) expect(found, `${at}: ${payload} was acknowledged`).toContain(payload)
  for (const payload of done) expect(found, `${at}: ${payload} is done`).not.toContain(payload)
}

describe('I4: at each point before and after what reaches the disk', () => {
  test('the disk is gone from there on: nothing that was acknowledged is lost, nothing done comes again', async () => {
    const points: string[] = []
    const whole = folder()
    await work(whole, (point) => void points.push(point))
    expect(new Set(points).size).toBe(10) // all but those of a cut-off
    expect(firstNumberIn(whole)).toBeGreaterThan(10) // the pin, which is number 1, was copied
    const crashAt = async (point: string, crash: number): Promise<void> => {
      const path = folder()
      let count = 0
      const told = await work(path, () => {
        if (count++ >= crash) throw new Error('EIO')
      })
      judge(await left(path), told, `${crash} ${point}`)
    }
    await Promise.all(points.map(crashAt))
  })

  test.each([
    ['one act fails', 1],
    ['two acts fail', 2],
  ])('%s and the next works: the spool goes on, and keeps its word', async (_, failures) => {
    const points: string[] = []
    await work(folder(), (point) => void points.push(point))
    const failAt = async (point: string, failing: number): Promise<void> => {
      const path = folder()
      let count = 0
      const told = await work(path, () => {
        if (count++ >= failing && count <= failing + failures) throw new Error('ENOSPC')
      })
      expect(told.kept.size, `${failing} ${point}`).toBeGreaterThanOrEqual(12)
      const found = await left(path)
      judge(found, told, `${failing} ${point}`)
      // What was refused was cut off, since that worked.
      for (const payload of found) expect(told.kept, `${failing} ${point}`).toContain(payload)
    }
    await Promise.all(points.map(failAt))
  })
})

test('I4: kill -9 while it writes, five times over: nothing acknowledged is lost, nothing done comes again', async () => {
  const path = folder()
  const writer = fileURLToPath(new URL('./writer.mjs', import.meta.url))
  const told = nothing()
  for (let run = 0; run < 5; run++) {
    for (const line of await killedAfter(300 + 37 * run, writer, [path, String(run)])) {
      const [what, payload = ''] = line.split(' ')
      if (what === 'kept') told.kept.add(payload)
      else if (what === 'done') told.done.add(payload)
      else told.asked.add(payload)
    }
    judge(await left(path), told, `run ${run}`)
  }
  expect(firstNumberIn(path)).toBeGreaterThan(100) // the first that is kept was copied, again and again
  expect(told.kept.size).toBeGreaterThan(500)
  expect(told.done.size).toBeGreaterThan(100)
})

/** Two segments; what is last in the second was never put on disk. */
async function unsynced(): Promise<{ path: string; last: string }> {
  const path = folder()
  let isBad = false
  const fault: Fault = (point) => {
    if (isBad && ['before sync', 'before truncate'].includes(point)) throw new Error('EIO')
  }
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 60, fault })
  for (const payload of ['one', 'two', 'three']) await spool.append('a', bytesOf(payload))
  isBad = true
  await expect(spool.append('a', bytesOf('four'))).rejects.toThrow('EIO')
  await spool.close()
  const [, last = ''] = readdirSync(path).sort()
  return { path, last: join(path, last) }
}

test('I4: what a process wrote that was killed then is put on disk before anything is done with it', async () => {
  const { path } = await unsynced()
  const points: string[] = []
  const spool = await Spool.open(path, { fault: (point) => void points.push(point) })
  const of = (what: string) => [`before ${what}`, `after ${what}`]
  expect(points).toEqual([...of('sync folder'), ...of('sync'), ...of('sync')])
  await spool.close()
})

test('I4: a start that is broken off at any point leaves all for the next', async () => {
  const { path, last } = await unsynced()
  const content = Buffer.concat([readFileSync(last), bytesOf('SLR1 and no more')])
  for (let crash = 0; crash < 8; crash++) {
    writeFileSync(last, content)
    let count = 0
    const fault: Fault = () => {
      if (count++ === crash) throw new Error('EIO')
    }
    await expect(Spool.open(path, { fault }), `${crash}`).rejects.toThrow('EIO')
    const spool = await Spool.open(path)
    expect(spool.findings.damaged).toEqual([])
    const found: string[] = []
    for await (const { payload } of spool.records()) found.push(textOf(payload))
    expect(found).toEqual(['one', 'two', 'three', 'four'])
    await spool.close()
  }
})
