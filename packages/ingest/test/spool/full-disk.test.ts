import { readdirSync } from 'node:fs'
import { systemClock } from '@sluice/core'
import { type FaultPoint, Spool, SpoolFullError } from '@sluice/ingest/spool'
import { expect, test } from 'vitest'
import { bytesOf, temporaryFolders } from './folders.js'

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
