import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Spool } from '@sluice/ingest/spool'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { SpoolFiles } from '../../src/spool/files.js'
import { KeptRecords } from '../../src/spool/kept-records.js'
import { readKept } from '../../src/spool/read-kept.js'
import { readRecords } from '../../src/spool/record.js'
import { walk } from '../../src/spool/walk.js'
import { bytesOf, temporaryFolders } from './folders.js'

const folder = temporaryFolders()
const MIB = 1_048_576
/** So many bytes, none of them as those beside it. */
const noise = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 7 + (i >> 8)) & 0xff)

test('I4: parts of payloads are read wherever they lie, near to one another or far; of what is done none is', async () => {
  const sizes = [10, 5, 200_000, 40, 3 * MIB, 7, 20_000, 9, 17_000, 300]
  const spool = await Spool.open(folder(), { groupMs: 0, segmentBytes: 150_000 })
  const payloads = sizes.map((size, i) => noise(size, i))
  const sequences: number[] = []
  for (const [i, payload] of payloads.entries()) sequences.push(await spool.append(`source ${i}ö`, payload))
  await spool.done([sequences[3] ?? 0])
  const part = fc.tuple(fc.nat(sizes.length), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(70_000))
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), fc.boolean(), async (wanted, isInOrder) => {
      const parts = wanted.map(([i, at, length]) => {
        const offset = Math.floor(at * (sizes[i] ?? 0))
        return { i, sequence: sequences[i] ?? 99_999, offset, bytes: Math.min(length, (sizes[i] ?? 0) - offset) }
      })
      if (isInOrder) parts.sort((one, other) => one.sequence - other.sequence || one.offset - other.offset)
      const found = await spool.readParts(parts)
      expect(found.length).toBe(parts.length)
      for (const [k, { i, offset, bytes }] of parts.entries()) {
        const expected = i === 3 ? undefined : payloads[i]?.subarray(offset, offset + bytes)
        const own = found[k]
        expect(own && expected ? Buffer.compare(own, expected) : own).toEqual(expected && 0)
      }
    }),
    { numRuns: 60 },
  )
  await spool.close()
})

test('I4: what goes to another segment just as it is read is read there; a disk that fails is told', async () => {
  const kept = new KeptRecords()
  const record = { source: 'a', atMs: 0, path: 'old', seed: 1, offset: 0, bytes: 3 }
  for (const sequence of [1, 2, 3]) kept.add({ ...record, sequence })
  const asked: string[] = []
  class Moving extends SpoolFiles {
    override async readAt(
      path: string,
      stretches: readonly { offset: number; bytes: number }[],
    ): Promise<Uint8Array[]> {
      asked.push(path)
      if (path === 'new') return stretches.map(({ offset, bytes }) => noise(100, 0).subarray(offset, offset + bytes))
      kept.move(1, { path: 'new', seed: 2, offset: 50 })
      kept.move(3, { path: 'new', seed: 2, offset: 60 })
      kept.delete(2)
      throw new Error('ENOENT')
    }
  }
  const files = new Moving('')
  const wanted = [1, 2, 3].map((sequence) => ({ sequence, from: 1, bytes: 2 }))
  const expected = [noise(100, 0).slice(51, 53), undefined, noise(100, 0).slice(61, 63)]
  const found = (await readKept(files, kept, wanted)).map((content) => content?.bytes)
  expect([found, asked]).toEqual([expected, ['old', 'new']])
  kept.add({ ...record, sequence: 4, path: 'lost' })
  await expect(readKept(files, kept, [{ sequence: 4, from: 0, bytes: 3 }])).rejects.toThrow('ENOENT')
})

test('I4: while much that is kept is read others have their turns', async () => {
  const spool = await Spool.open(folder(), { groupMs: 0 })
  for (let i = 0; i < 40; i++) await spool.append('a', noise(200_000, i))
  let turns = 0
  const turn = (): void => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  let count = 0
  for await (const { payload } of spool.records()) count += payload.length / 200_000
  clearImmediate(next)
  expect([count, turns >= 8]).toEqual([40, true]) // a MiB each at most
  await spool.close()
})

test('I4: a segment that is walked through piece by piece has all its records but those that are damaged', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0 })
  const sizes = [100, 900_000, 5_000_000, 20, 1_500_000, ...Array.from({ length: 300 }, (_, i) => 9000 + i)]
  for (const [i, size] of sizes.entries()) await spool.append('a', noise(size, i))
  await spool.append('a', bytesOf('last'))
  await spool.close()
  const [name = ''] = readdirSync(path)
  const file = join(path, name)
  const files = new SpoolFiles(path)
  const [{ seed = 0 } = {}] = await files.list()
  const walked = async (): Promise<number[]> => {
    const segment = {
      path: file,
      seed,
      last: 0,
      bytes: readFileSync(file).length,
      copiedClaimBytes: 0,
      isCopied: false,
    }
    const all: number[] = []
    for await (const { sequence } of walk(files, segment)) all.push(sequence)
    return all
  }
  const whole = sizes.map((_, i) => i + 1)
  whole.push(whole.length + 1)
  expect((await walked()).length).toBe(whole.length)
  const content = readFileSync(file)
  const records = [...readRecords(content, seed)]
  for (const i of [1, 2, 50, 51, records.length - 1]) {
    const at = (records[i]?.offset ?? 0) + 4 + (i % 3) // its length, among others
    content[at] = (content[at] ?? 0) ^ 1
  }
  writeFileSync(file, content)
  const sound = [...readRecords(content, seed)].flatMap((it) => (it.kind === 'damage' ? [] : [it.sequence]))
  expect([sound.length, await walked()]).toEqual([records.length - 5, sound])
})

test('I4: what is copied to another segment is whole, in whatever order it is read meanwhile', async () => {
  const spool = await Spool.open(folder(), { groupMs: 0, segmentBytes: 2000 })
  const all: number[] = []
  for (let i = 0; i < 100; i++) all.push(await spool.append('a', noise(400, i)))
  const kept = all.filter((_, i) => i % 10 === 0)
  await spool.done(all.filter((_, i) => i % 10 !== 0)) // and now it is copied
  const read = await spool.read([...kept].reverse())
  expect(read.map(({ payload }) => payload)).toEqual(kept.map((_, i) => noise(400, 10 * i)).reverse())
  await spool.close()
})

test('I4: a read that gives less than is there is no end, and no damage', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 500 })
  const kept = await spool.append('a', noise(300, 1))
  const claim = { source: 'a', partition: 'p', node: 'n1', id: 'b1' }
  const claimed = await spool.claim({ ...claim, rows: [[kept, 0, 1]] })
  await spool.done([claimed])
  const [first = ''] = readdirSync(path)
  const one = await open(join(path, first), 'r')
  await one.close()
  const handles = Object.getPrototypeOf(one)
  const { read } = handles
  const half = vi.spyOn(handles, 'read').mockImplementation(function (this: unknown, into, at, length, position) {
    return read.call(this, into, at, Math.ceil(Number(length) / 2), position)
  })
  try {
    expect((await spool.read([kept])).map(({ payload }) => payload)).toEqual([noise(300, 1)])
    while (readdirSync(path).includes(first)) await spool.done([await spool.append('b', noise(400, 2))]) // it is copied
  } finally {
    half.mockRestore()
  }
  await spool.close()
  const again = await Spool.open(path)
  expect(again.claims.map(({ id, isDone }) => [id, isDone])).toEqual([['b1', true]])
  await again.close()
})
