import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { type FaultPoint, Spool, SpoolFullError } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { bytesOf, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()

test('I4: events leave of the disk what claims and marks need, and come in again when what is kept has gone', async () => {
  const path = folder()
  let nowMs = 0
  const clock = { ...systemClock, now: () => nowMs }
  let free = 10_000
  let asked = 0
  const freeBytes = async (): Promise<number> => {
    asked++
    return free
  }
  const spool = await Spool.open(path, { groupMs: 0, clock, reserveBytes: 1000, freeBytes })
  const one = await spool.append('a', bytesOf('one'))
  const two = await spool.append('a', bytesOf('two'))
  expect(asked).toBe(1)
  free = 1010
  nowMs += 1000
  const claim = { id: 'b1', source: 'a', partition: 'p', node: 'n1', rows: [[one, 0, 1] as const] }
  // In one group: the claim is written, the events are not.
  const [refused, claimed] = await Promise.allSettled([spool.append('a', bytesOf('three')), spool.claim(claim)])
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(SpoolFullError) })
  expect(String(refused.status === 'rejected' && refused.reason)).toContain('1000 bytes')
  expect(claimed).toMatchObject({ status: 'fulfilled' })
  await expect(spool.append('a', bytesOf('four'))).rejects.toThrow(SpoolFullError)
  expect(readdirSync(path)).toHaveLength(2)
  await spool.done([one, two])
  expect(readdirSync(path)).toHaveLength(1) // what the events were in has gone
  free = 10_000
  nowMs += 1000
  expect(await spool.append('a', bytesOf('five'))).toBeGreaterThan(two)
  await spool.close()
  const again = await Spool.open(path)
  expect(again.findings).toEqual({ tornBytes: 0, damaged: [] })
  expect(again.backlog('a').bytes).toBeGreaterThan(0)
  await again.close()
})

test('I4: a disk that cannot be asked is written to', async () => {
  const freeBytes = async (): Promise<number> => {
    throw new Error('ENOSYS')
  }
  const spool = await Spool.open(folder(), { groupMs: 0, freeBytes })
  expect(await spool.append('a', bytesOf('one'))).toBe(1)
  await spool.close()
})

test('I4: each attempt on a full disk leaves nothing behind', async () => {
  const path = folder()
  let isFull = true
  const fault = (point: FaultPoint): void => {
    if (isFull && point === 'after write') throw new Error('ENOSPC')
  }
  const spool = await Spool.open(path, { groupMs: 0, fault })
  for (let i = 0; i < 5; i++) await expect(spool.append('a', bytesOf('lost'))).rejects.toThrow('ENOSPC')
  expect(readdirSync(path)).toEqual([])
  expect(spool.diskBytes).toBe(0)
  isFull = false
  await spool.append('a', bytesOf('kept'))
  expect(readdirSync(path)).toHaveLength(1)
  await spool.close()
})

test('I4: a disk that stays full is not filled with a segment for each claim and each mark', async () => {
  const path = folder()
  let [nowMs, free] = [0, 1e9]
  const clock = { ...systemClock, now: () => nowMs }
  const spool = await Spool.open(path, { groupMs: 0, clock, reserveBytes: 1000, freeBytes: async () => free })
  await spool.append('stuck', bytesOf('x'))
  const all: number[] = []
  for (let i = 0; i < 50; i++) all.push(await spool.append('busy', bytesOf('x')))
  free = 1000
  nowMs += 1000
  const refused = () => expect(spool.append('busy', bytesOf('y'))).rejects.toThrow(SpoolFullError)
  for (const sequence of all) {
    await refused()
    const rows = [[sequence, 0, 1] as const]
    const claim = await spool.claim({ id: `b${sequence}`, source: 'busy', partition: 'p', node: 'n', rows })
    await refused()
    await spool.done([sequence, claim])
  }
  expect(readdirSync(path)).toHaveLength(2)
  await spool.close()
})

describe('I4: a disk that is full again and again is not filled with a segment each time', () => {
  test('as each second write fails', async () => {
    const path = folder()
    let writes = 0
    const fault = (point: FaultPoint): void => {
      if (point === 'after write' && writes++ % 2 === 1) throw new Error('ENOSPC')
    }
    const spool = await Spool.open(path, { groupMs: 0, fault })
    const stuck = await spool.append('stuck', bytesOf('x'))
    let kept = 0
    for (let i = 0; i < 60; i++) {
      const claim = { id: `b${i}`, source: 'stuck', partition: 'p', node: 'n', rows: [[stuck, i, i + 1] as const] }
      await spool.claim(claim).then(
        () => kept++,
        () => {},
      )
    }
    expect([kept, readdirSync(path).length]).toEqual([30, 1])
    await spool.close()
    const again = await Spool.open(path)
    expect([again.findings, again.claims.length]).toEqual([{ tornBytes: 0, damaged: [] }, 30])
    await again.close()
  })

  test('as it has room for events now and then', async () => {
    const path = folder()
    let [nowMs, free] = [0, 1e9]
    const clock = { ...systemClock, now: () => nowMs }
    const options = { groupMs: 0, clock, segmentBytes: 8000, reserveBytes: 1000, freeBytes: async () => free }
    const spool = await Spool.open(path, options)
    const all = [await spool.append('stuck', bytesOf('x'))]
    let bytes = 0
    for (let i = 0; i < 200; i++) {
      free = 1000
      nowMs += 1000
      await expect(spool.append('busy', bytesOf('y'))).rejects.toThrow(SpoolFullError)
      free = 1e9
      nowMs += 1000
      all.push(await spool.append('busy', bytesOf('x'.repeat(20))))
      bytes = spool.diskBytes
    }
    // Each with a thousand bytes, but for a few.
    expect([bytes > 10_000, readdirSync(path).length < bytes / 1000 + 6]).toEqual([true, true])
    free = 1000
    nowMs += 1000
    await expect(spool.append('busy', bytesOf('y'))).rejects.toThrow(SpoolFullError)
    await spool.done(all)
    expect(readdirSync(path).length).toBeLessThan(3) // what was full can go all the same
    await spool.close()
  })
})

describe('I4: a write that ended in the midst of a record', () => {
  /** Three appends, of which the second one ends after so many bytes: what was acknowledged, and what is found then. */
  async function cutAfter(bytes: number, isBad: (point: FaultPoint, since: number) => boolean) {
    const path = folder()
    let since = Number.NEGATIVE_INFINITY // points since the write that failed
    let length = 0
    const fault = (point: FaultPoint): void => {
      if (point === 'after write' && since === 0) {
        const [name = ''] = readdirSync(path)
        const file = join(path, name)
        truncateSync(file, Math.min(length + bytes, statSync(file).size))
        since = 1
        throw new Error('ENOSPC')
      }
      if (since > 0 && isBad(point, since++)) throw new Error('EIO')
    }
    const spool = await Spool.open(path, { groupMs: 0, fault })
    const acknowledged = ['one']
    await spool.append('a', bytesOf('one'))
    length = spool.diskBytes
    since = 0
    await expect(spool.append('a', bytesOf('two, which is longer'))).rejects.toThrow('ENOSPC')
    for (const payload of ['three', 'four'])
      await spool.append('a', bytesOf(payload)).then(
        () => acknowledged.push(payload),
        () => {},
      )
    await spool.close()
    const files = readdirSync(path).length
    const again = await Spool.open(path)
    const found: string[] = []
    for await (const { payload } of again.records()) found.push(textOf(payload))
    await again.close()
    expect(again.findings.damaged, `${bytes} bytes`).toEqual([])
    return { acknowledged, found, files }
  }
  const LENGTH = 54

  test.each<[string, (point: FaultPoint, since: number) => boolean, number]>([
    ['is cut off', () => false, 1],
    ['is cut off the second time', (point, since) => point === 'before truncate' && since < 2, 1],
    ['is left at the end of its segment', (point) => point === 'before truncate', 2],
  ])('%s, wherever that was', async (_, isBad, segments) => {
    for (let bytes = 0; bytes <= LENGTH; bytes++) {
      const { acknowledged, found, files } = await cutAfter(bytes, isBad)
      expect([acknowledged, files]).toEqual([['one', 'three', 'four'], segments])
      // Whole it is there, where it could not be cut off: nobody was told that it is not.
      const whole = segments === 2 && bytes === LENGTH ? ['two, which is longer'] : []
      expect(found, `${bytes} bytes`).toEqual(['one', ...whole, 'three', 'four'])
    }
  })

  test('is no record and no damage, wherever the process ends after it', async () => {
    for (const bytes of [0, 1, 11, 12, 30, LENGTH - 1])
      for (let crash = 1; crash < 14; crash++) {
        const { acknowledged, found } = await cutAfter(bytes, (_, since) => since >= crash)
        // What was written and not acknowledged may be there, at the end.
        expect(found.slice(0, acknowledged.length), `${bytes} bytes, ${crash}`).toEqual(acknowledged)
        expect(found, `${bytes} bytes, ${crash}`).not.toContain('two, which is longer')
        expect(found.length - acknowledged.length, `${bytes} bytes, ${crash}`).toBeLessThan(2)
      }
  })
})
