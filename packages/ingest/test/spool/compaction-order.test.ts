import { type FaultPoint, Spool } from '@sluice/ingest/spool'
import { expect, test } from 'vitest'
import { bytesOf, firstNumberIn, looks, settled, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()
const OPTIONS = { groupMs: 0, segmentBytes: 1000 }

const reads = (path: string): Promise<void> => looks(path, 60)

/** Keeps groups from the disk, one after another. */
class Gate {
  isShut = false
  #waiting: (() => void)[] = []

  pass(): Promise<void> | void {
    if (this.isShut) return new Promise((resolve) => this.#waiting.push(resolve))
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** The next, or all from now on. */
  open(isForAll = true): void {
    this.isShut = !isForAll
    for (const pass of this.#waiting.splice(0)) pass()
  }
}

/** A spool in which the mark of `sequences` is followed by a copy of record 1. */
async function pinned() {
  const path = folder()
  const points: FaultPoint[] = []
  const gate = new Gate()
  const fault = (point: FaultPoint): Promise<void> | void => {
    points.push(point)
    if (point === 'before sync') return gate.pass()
  }
  const spool = await Spool.open(path, { ...OPTIONS, fault })
  await spool.append('paused', bytesOf('kept'))
  const claim = {
    id: 'b1',
    source: 'paused',
    partition: 'p',
    node: 'n1',
    rows: [[1, 0, 1]] as [number, number, number][],
  }
  const claimed = await spool.claim(claim)
  const sequences: number[] = []
  for (let i = 0; i < 12; i++) sequences.push(await spool.append('busy', bytesOf('x'.repeat(400))))
  return { path, spool, sequences, points, gate, claim: { ...claim, sequence: claimed } }
}

async function found(path: string): Promise<string[]> {
  const again = await Spool.open(path, OPTIONS)
  const all: string[] = []
  for await (const { payload } of again.records()) all.push(textOf(payload))
  await again.close()
  return all
}

test('I4: what is marked as done while its copy waits is not copied: it would come again', async () => {
  const { path, spool, sequences, gate } = await pinned()
  await spool.done(sequences)
  gate.isShut = true
  const marking = spool.done([1])
  await reads(path) // meanwhile its copy waits behind the mark
  gate.open()
  await marking
  await spool.close()
  expect(await found(path)).toEqual([])
})

test('I4: a copy goes before a mark that came first and is put on disk with it', async () => {
  const { path, spool, sequences, gate } = await pinned()
  await spool.done(sequences)
  gate.isShut = true
  const another = spool.append('busy', bytesOf('another'))
  for (let turn = 0; turn < 10; turn++) await null // it is a group of its own, and not on disk yet
  const marking = spool.done([1])
  await reads(path)
  gate.open()
  await Promise.all([another, marking])
  await spool.close()
  expect(await found(path)).toEqual(['another'])
})

test('I4: a claim that is marked as done while its copy waits is copied as done', async () => {
  const { path, spool, sequences, gate, claim, points } = await pinned()
  await spool.done(sequences)
  gate.isShut = true
  while (!gate.isAwaited) await reads(path) // the copy of the record
  const marking = spool.done([claim.sequence])
  gate.open(false)
  while (!gate.isAwaited) await reads(path) // the mark
  await reads(path) // and behind it the copy of the claim, which was open when it was read
  gate.open()
  await marking
  await settled(path, points)
  await spool.close()
  const again = await Spool.open(path, OPTIONS)
  expect(again.claims).toEqual([{ ...claim, isDone: true }])
  await again.close()
})

test('I4: a segment with a copy of an old record keeps a newer one', async () => {
  const { path, spool, sequences } = await pinned()
  const newer = await spool.append('paused', bytesOf('newer'))
  await spool.done(sequences)
  while (firstNumberIn(path) < newer - 5) await reads(path)
  const claim = { id: 'b2', source: 'paused', partition: 'p', node: 'n1', rows: [[newer, 0, 1] as const] }
  for (let i = 0; i < 20; i++) await spool.claim(claim) // nothing but claims is behind it
  await spool.done([1])
  expect((await spool.read([newer])).map(({ payload }) => textOf(payload))).toEqual(['newer'])
  await spool.close()
  expect(await found(path)).toEqual(['newer'])
})

test('I4: claims that are many beside what they are of are not copied for ever', async () => {
  const { path, spool, sequences, points, claim } = await pinned()
  const claimed: number[] = [claim.sequence]
  for (let i = 0; i < 100; i++) claimed.push(await spool.claim({ ...claim, id: `b${i}` }))
  await spool.done([...sequences, ...claimed])
  const syncs = (): number => points.filter((point) => point === 'after sync').length
  const before = syncs()
  await settled(path, points)
  // Each segment was copied once or not at all.
  expect([syncs() - before > 2, syncs() - before < 30]).toEqual([true, true])
  await spool.close()
  const again = await Spool.open(path, OPTIONS)
  expect([again.claims.length, again.claims.every(({ isDone }) => isDone)]).toEqual([101, true])
  await again.close()
})
