import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VirtualClock } from '@sluice/core/testing'
import { type FaultPoint, Spool } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { crc32c } from '../../src/spool/crc32c.js'
import { bytesOf, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()
const read = async (spool: Spool): Promise<string[]> => {
  const all: string[] = []
  for await (const { sequence, source, payload } of spool.records())
    all.push(`${sequence} ${source} ${textOf(payload)}`)
  return all
}
const segmentsOf = (path: string): string[] => readdirSync(path).map((name) => join(path, name))
/** A spool that was written in one go and closed: its folder, and its only segment. */
const written = async (payloads: string[]): Promise<{ path: string; segment: string }> => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0 })
  await Promise.all(payloads.map((payload) => spool.append('a', bytesOf(payload))))
  await spool.close()
  const [segment = ''] = segmentsOf(path)
  return { path, segment }
}

test('I4: the checksum is CRC-32C, as RFC 3720 has it', () => {
  expect(crc32c(bytesOf('123456789'))).toBe(0xe3069283)
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43)
  expect(crc32c(new Uint8Array())).toBe(0)
  // Whatever the length, and wherever it is cut in two.
  const bytes = Uint8Array.from({ length: 67 }, (_, i) => (i * 151 + 7) & 0xff)
  let byOne = 0
  for (let at = 0; at < bytes.length; at++) {
    expect(crc32c(bytes.subarray(0, at))).toBe(byOne)
    expect(crc32c(bytes.subarray(at), byOne)).toBe(crc32c(bytes))
    byOne = crc32c(bytes.subarray(at, at + 1), byOne)
  }
})

test('I4: what is kept is nobody else’s to read', async () => {
  const { segment } = await written(['one'])
  expect(statSync(segment).mode & 0o777).toBe(0o600)
})

test('I4: what was kept is there for the next process, what is done is not', async () => {
  const path = folder()
  const clock = new VirtualClock(1_000_000)
  const first = await Spool.open(path, { clock })
  const appends = Promise.all([
    first.append('a', bytesOf('one')),
    first.append('b', bytesOf('zwö')),
    first.append('a', bytesOf('')),
  ])
  await clock.advance(5)
  expect(await appends).toEqual([1, 2, 3])
  const marked = first.done([2, 77])
  await clock.advance(5)
  await marked
  const later = first.append('a', bytesOf('more'))
  await clock.advance(5)
  const highest = await later
  await first.close()

  const second = await Spool.open(path, { clock })
  expect(second.findings).toEqual({ tornBytes: 0, damaged: [] })
  expect(await read(second)).toEqual(['1 a one', '3 a ', `${highest} a more`])
  expect(second.backlog('b')).toEqual({ bytes: 0, oldestAtMs: null })
  expect(second.backlog()).toEqual({ bytes: second.backlog('a').bytes, oldestAtMs: 1_000_000 })
  const fourth = second.append('a', bytesOf('four'))
  await clock.advance(5)
  expect(await fourth).toBeGreaterThan(highest)
  await second.close()
  await expect(second.append('a', bytesOf('late'))).rejects.toThrow('Spool: it is closed')
})

describe('I4: who comes alone waits for nobody; who comes soon after that is put on disk with others, and waits', () => {
  test.each([
    ['as long as that took, with a disk that is quick', 2, 2],
    ['five milliseconds from its beginning at most', 4, 1],
    ['not at all after a sync that took longer', 9, 0],
  ])('%s', async (_, syncMs, waitMs) => {
    const clock = new VirtualClock()
    let syncs = 0
    const fault = async (point: FaultPoint): Promise<void> => {
      if (point === 'before sync') await clock.advance(syncMs)
      if (point === 'after sync') syncs++
    }
    const spool = await Spool.open(folder(), { clock, fault })
    const append = () => spool.append('a', bytesOf('x'))
    await append()
    expect([clock.now(), clock.pending()]).toEqual([syncMs, 0])
    const all = Array.from({ length: 50 }, append)
    for (let waited = 0; waited < waitMs; waited++) {
      expect([syncs, clock.pending()]).toEqual([1, 1])
      all.push(append())
      await clock.advance(1)
    }
    await Promise.all(all)
    expect([syncs, clock.now(), clock.pending()]).toEqual([2, 2 * syncMs + waitMs, 0])
    await clock.advance(5)
    await append()
    expect([syncs, clock.now(), clock.pending()]).toEqual([3, 3 * syncMs + waitMs + 5, 0])
    await spool.close()
  })
})

test('I4: a segment goes when it and all before it are done, and no mark goes before what it marks', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 40 })
  const sequences: number[] = []
  for (let i = 0; i < 6; i++) sequences.push(await spool.append('a', bytesOf(`payload number ${i}`)))
  const [one = 0, two = 0, three = 0, ...rest] = sequences
  expect(segmentsOf(path)).toHaveLength(6)
  await spool.done([two, three])
  expect(segmentsOf(path)).toHaveLength(7)
  await spool.done([one])
  expect(segmentsOf(path)).toHaveLength(4) // the second mark found room beside the first
  const again = await Spool.open(path, { groupMs: 0 })
  expect(await read(again)).toEqual(rest.map((sequence, i) => `${sequence} a payload number ${i + 3}`))
  await again.close()
  await Promise.all(rest.map((sequence) => spool.done([sequence])))
  expect(segmentsOf(path).length).toBeLessThanOrEqual(2)
  expect(spool.diskBytes).toBe(segmentsOf(path).reduce((sum, file) => sum + readFileSync(file).length, 0))
  await spool.close()
})

test('I4: a segment that went while the folder could not be put on disk keeps none after it', async () => {
  const path = folder()
  const fails: FaultPoint[] = []
  const fault = (point: FaultPoint): void => {
    if (point === fails[0] && fails.shift() && fails.length === 0) throw new Error('EIO')
  }
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 60, fault })
  const round = async (): Promise<void> =>
    spool.done([await spool.append('a', bytesOf('a row of some length, or longer'))])
  for (let i = 0; i < 3; i++) await round()
  const before = segmentsOf(path).length
  fails.push('after remove', 'before sync folder')
  for (let i = 0; i < 10; i++) await round()
  expect([fails, segmentsOf(path).length]).toEqual([[], before])
  fails.push('after create', 'before sync folder')
  await expect(round()).rejects.toThrow('EIO')
  expect(segmentsOf(path).length).toBe(before)
  await spool.close()
})

test('I4: a claim is there as long as some of its rows are kept, and says whether its block is written', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 60 })
  const one = await spool.append('a', bytesOf('one'))
  const two = await spool.append('a', bytesOf('two'))
  const claim = { id: 'b1', source: 'a', partition: 'p', node: 'n1' }
  const first = await spool.claim({ ...claim, rows: [[one, 0, 1]] })
  const second = await spool.claim({
    ...claim,
    id: 'b2',
    rows: [
      [one, 1, 3],
      [two, 0, 1],
    ],
  })
  const third = await spool.claim({ ...claim, id: 'b3', node: 'n2', rows: [[two, 1, 2]] })
  await spool.done([second])
  await spool.close()
  const again = await Spool.open(path, { groupMs: 0 })
  expect(again.claims).toEqual([
    { ...claim, sequence: first, isDone: false, rows: [[one, 0, 1]] },
    {
      ...claim,
      id: 'b2',
      sequence: second,
      isDone: true,
      rows: [
        [one, 1, 3],
        [two, 0, 1],
      ],
    },
    { ...claim, id: 'b3', node: 'n2', sequence: third, isDone: false, rows: [[two, 1, 2]] },
  ])
  await again.done([first, one])
  await again.close()
  const last = await Spool.open(path, { groupMs: 0 })
  expect(last.claims.map(({ id, isDone }) => [id, isDone])).toEqual([
    ['b2', true],
    ['b3', false],
  ])
  await last.done([third, two])
  await last.close()
  const end = await Spool.open(path, { groupMs: 0 })
  expect([end.claims, end.backlog()]).toEqual([[], { bytes: 0, oldestAtMs: null }])
  await end.close()
})

test('I4: what is kept is read by its number, wherever it lies; what is done is left out, what is broken is told', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 60 })
  const sequences: number[] = []
  for (const payload of ['one', 'two', 'three', 'four']) sequences.push(await spool.append('a', bytesOf(payload)))
  const [one = 0, two = 0, three = 0, four = 0] = sequences
  await spool.done([two])
  const found = await spool.read([four, three, two, 99, one])
  expect(found.map(({ sequence, payload }) => [sequence, textOf(payload)])).toEqual([
    [four, 'four'],
    [three, 'three'],
    [one, 'one'],
  ])
  const [segment = ''] = segmentsOf(path).sort()
  const broken = readFileSync(segment)
  broken[30] = (broken[30] ?? 0) ^ 1
  writeFileSync(segment, broken)
  await expect(spool.read([one, two, three, four])).rejects.toThrow('cannot be read any more')
  await spool.close()
})

describe('I4: a damaged segment', () => {
  test('that was cut anywhere in its last record has all others, and goes on', async () => {
    const { path, segment } = await written(['first', 'second', 'the last one'])
    const whole = readFileSync(segment)
    const last = whole.lastIndexOf('SLR1')
    for (let length = last; length < whole.length; length++) {
      writeFileSync(segment, whole.subarray(0, length))
      const spool = await Spool.open(path, { groupMs: 0 })
      expect(spool.findings).toEqual({ tornBytes: length - last, damaged: [] })
      expect(await read(spool)).toEqual(['1 a first', '2 a second'])
      expect(readFileSync(segment).length).toBe(last)
      await spool.close()
    }
  })

  test('with any one bit flipped loses no record but that one, and says so', async () => {
    const { path, segment } = await written(['first', 'second', 'third'])
    const whole = readFileSync(segment)
    const starts = [0, whole.indexOf('SLR1', 1), whole.lastIndexOf('SLR1')]
    const names = ['1 a first', '2 a second', '3 a third']
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const at = bit >> 3
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(segment, broken)
      const spool = await Spool.open(path, { groupMs: 0 })
      const hit = starts.filter((start) => start <= at).length - 1
      expect(await read(spool), `bit ${bit}`).toEqual(names.filter((_, i) => i !== hit))
      // Its length too, of the last one: what follows has its checksum, so it was there once.
      const [offset = 0, end = whole.length] = starts.slice(hit)
      const damaged = [{ path: segment, offset, bytes: end - offset }]
      expect(spool.findings, `bit ${bit}`).toEqual({ tornBytes: 0, damaged })
      expect(readFileSync(segment).length).toBe(whole.length)
      await spool.close()
    }
  })

  test('that grew before its content came, which is zeros then, has lost nothing', async () => {
    const { path, segment } = await written(['first'])
    const whole = readFileSync(segment)
    writeFileSync(segment, Buffer.concat([whole, Buffer.alloc(4096)]))
    const spool = await Spool.open(path, { groupMs: 0 })
    expect(spool.findings).toEqual({ tornBytes: 4096, damaged: [] })
    expect(await read(spool)).toEqual(['1 a first'])
    await spool.close()
  })

  test('whose events hold a record of somebody’s making takes it for none', async () => {
    const { bytesOfRecord, encodeRecords } = await import('../../src/spool/record.js')
    const { encodeHead } = await import('../../src/spool/body.js')
    const body = [encodeHead({ source: 'another tenant’s', atMs: 0 }), bytesOf('forged')]
    const record = { kind: 'events', sequence: 9, body } as const
    const itself = encodeRecords([{ record, bytes: bytesOfRecord(record) }], 0)
    const forged = textOf(itself)
    const { path, segment } = await written(['first', 'second'])
    const spool = await Spool.open(path, { groupMs: 0 })
    await spool.append('a', itself)
    await spool.close()
    expect(forged).toContain('SLR1')
    const [, last = ''] = segmentsOf(path).sort()
    for (const file of [segment, last]) {
      const broken = readFileSync(file)
      broken[0] = 0
      writeFileSync(file, broken)
    }
    const again = await Spool.open(path, { groupMs: 0 })
    expect(await read(again)).toEqual(['2 a second'])
    await again.close()
  })

  test('of nothing but noise is told, and holds nobody up', async () => {
    const { path, segment } = await written(['first'])
    writeFileSync(
      segment,
      Buffer.from('SLR1SLR1SLR1 no record, but long enough to be taken for one at each marker SLR1'),
    )
    const spool = await Spool.open(path, { groupMs: 0 })
    expect(await read(spool)).toEqual([])
    expect(spool.findings.tornBytes).toBeGreaterThan(0)
    const sequence = await spool.append('a', bytesOf('more'))
    expect(await read(spool)).toEqual([`${sequence} a more`])
    await spool.close()
  })
})

test('Spool: an option out of range is refused by name', async () => {
  await expect(Spool.open(folder(), { groupMs: -1 })).rejects.toThrow(
    'Spool: groupMs must be a number of at least 0; got -1',
  )
  await expect(Spool.open(folder(), { segmentBytes: 0 })).rejects.toThrow(
    'Spool: segmentBytes must be an integer of at least 1',
  )
})
