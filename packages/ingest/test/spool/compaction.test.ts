import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Spool, type SpoolOptions } from '@sluice/ingest/spool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, firstNumberIn, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()
const read = async (spool: Spool): Promise<string[]> => {
  const all: string[] = []
  for await (const { sequence, payload } of spool.records()) all.push(`${sequence} ${textOf(payload)}`)
  return all
}
/** So many times as much as the pin comes, and is done. */
async function flow(spool: Spool, times: number, bytes = 500): Promise<void> {
  for (let i = 0; i < times; i++) await spool.done([await spool.append('busy', bytesOf('x'.repeat(bytes)))])
}

test('I4: one record that is not done keeps two or three segments, not all that come after it', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 1000 })
  await spool.append('paused', bytesOf('one event'))
  await flow(spool, 20)
  await spool.append('paused', bytesOf('another'))
  let most = 0
  for (let i = 0; i < 60; i++) {
    await flow(spool, 1)
    most = Math.max(most, spool.diskBytes)
  }
  expect(most).toBeLessThan(8000) // of 46 000 that came
  const { bytes, oldestAtMs } = spool.backlog()
  await spool.close()
  expect(readdirSync(path).length).toBeLessThan(6)
  const again = await Spool.open(path, { groupMs: 0 })
  expect(again.findings).toEqual({ tornBytes: 0, damaged: [] })
  expect((await read(again)).map((it) => it.replace(/^\d+ /, ''))).toEqual(['one event', 'another'])
  expect(again.backlog()).toEqual({ bytes, oldestAtMs })
  await again.close()
})

test('I4: claims of what is copied are there as long as it is, and say what they said', async () => {
  const path = folder()
  const options = { groupMs: 0, segmentBytes: 1000 }
  const spool = await Spool.open(path, options)
  const one = await spool.append('a', bytesOf('one'))
  const gone = await spool.append('a', bytesOf('gone'))
  const claim = { source: 'a', partition: 'p', node: 'n1' }
  const rows = [
    [one, 0, 5],
    [gone, 0, 1],
  ] as const
  const written = await spool.claim({ ...claim, id: 'written', rows })
  const open = await spool.claim({ ...claim, id: 'open', rows: [[one, 5, 9]] })
  await spool.done([written, gone])
  await flow(spool, 40)
  await spool.close()
  for (let run = 0; run < 3; run++) {
    const again = await Spool.open(path, options)
    expect(firstNumberIn(path)).toBeGreaterThan(open) // the first segments are gone
    expect(await read(again)).toEqual([`${one} one`])
    expect(again.claims).toEqual([
      { ...claim, id: 'written', sequence: written, isDone: true, rows: [[one, 0, 5]] },
      { ...claim, id: 'open', sequence: open, isDone: false, rows: [[one, 5, 9]] },
    ])
    await flow(again, 20)
    await again.close()
  }
  const last = await Spool.open(path, options)
  await last.done([one, open])
  expect(last.backlog()).toEqual({ bytes: 0, oldestAtMs: null })
  await last.close()
})

test('I4: a full disk gives up for it a little of what is kept for claims and marks, and has room again', async () => {
  const path = folder()
  let isFull = false
  const freeBytes = async (): Promise<number> => (isFull ? 0 : 1e9)
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 2000, reserveBytes: 500, freeBytes })
  await spool.append('paused', bytesOf('kept'))
  const sequences: number[] = []
  for (let i = 0; i < 30; i++) sequences.push(await spool.append('busy', bytesOf('x'.repeat(400))))
  const before = spool.diskBytes
  isFull = true
  await spool.done(sequences)
  for (let turn = 0; turn < 100_000 && spool.diskBytes > 3000; turn++) await new Promise((next) => setImmediate(next))
  expect([before > 12_000, spool.diskBytes < 3000]).toEqual([true, true])
  await spool.close()
  const again = await Spool.open(path, { groupMs: 0 })
  expect(await read(again)).toEqual(['1 kept'])
  await again.close()
})

test('I4: what is damaged is not copied, and its segment stays', async () => {
  const path = folder()
  const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 1000 })
  await spool.append('paused', bytesOf('kept'))
  const [first = ''] = readdirSync(path)
  const content = readFileSync(`${path}/${first}`)
  content[40] = (content[40] ?? 0) ^ 1
  writeFileSync(`${path}/${first}`, content)
  await flow(spool, 20)
  await spool.close()
  expect(readdirSync(path)).toContain(first)
})

const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('append' as const), bytes: fc.integer({ min: 1, max: 300 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('claim' as const),
      of: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('done' as const),
      of: fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reopen' as const) }) },
)

test('I4: whatever is kept, claimed and done side by side, it is copied as it is, read meanwhile, and found again', async () => {
  let copied = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { maxLength: 6 }), { maxLength: 25 }), async (bursts) => {
      const path = folder()
      const options: SpoolOptions = { groupMs: 0, segmentBytes: 400 }
      let spool = await Spool.open(path, options)
      const kept = new Map<number, string>()
      const claims = new Map<number, { id: string; rows: (readonly [number, number, number])[]; isDone: boolean }>()
      let counter = 0
      const play = async (one: typeof act extends fc.Arbitrary<infer Act> ? Act : never): Promise<void> => {
        const all = [...kept.keys()]
        if (one.does === 'append') {
          const payload = `${counter++}-${'x'.repeat(one.bytes)}`
          kept.set(await spool.append('a', bytesOf(payload)), payload)
        } else if (one.does === 'claim') {
          const rows = one.of.flatMap((i) => (all[i] === undefined ? [] : [[all[i] ?? 0, 0, 1] as const]))
          const id = `b${counter++}`
          const sequence = await spool.claim({ id, source: 'a', partition: 'p', node: 'n1', rows })
          claims.set(sequence, { id, rows, isDone: false })
        } else if (one.does === 'done') {
          const open = [...claims].flatMap(([sequence, { isDone }]) => (isDone ? [] : [sequence]))
          const sequences = one.of.flatMap((i) => (i % 3 === 0 ? open : all)[i] ?? [])
          await spool.done(sequences)
          for (const sequence of sequences) {
            kept.delete(sequence)
            const claim = claims.get(sequence)
            if (claim) claim.isDone = true
          }
        }
      }
      for (const burst of bursts) {
        const acts = burst.filter(({ does }) => does !== 'reopen')
        const before = [...kept]
        const reading = spool.read(before.map(([sequence]) => sequence))
        await Promise.all(acts.map(play))
        for (const { sequence, payload } of await reading) expect(before).toContainEqual([sequence, textOf(payload)])
        if (acts.length < burst.length) {
          await spool.close()
          spool = await Spool.open(path, options)
        }
      }
      await spool.close()
      const again = await Spool.open(path, options)
      expect(again.findings).toEqual({ tornBytes: 0, damaged: [] })
      const expected = [...kept].sort(([a], [b]) => a - b)
      expect(await read(again)).toEqual(expected.map(([sequence, payload]) => `${sequence} ${payload}`))
      const keptRows = (rows: readonly (readonly [number, number, number])[]) => rows.filter(([one]) => kept.has(one))
      const open = [...claims].sort(([a], [b]) => a - b).filter(([, { rows }]) => keptRows(rows).length > 0)
      expect(
        again.claims.map(({ sequence, id, rows, isDone }) => [sequence, { id, rows: keptRows(rows), isDone }]),
      ).toEqual(open.map(([sequence, { id, rows, isDone }]) => [sequence, { id, rows: keptRows(rows), isDone }]))
      const [oldest = 0] = kept.keys()
      if (kept.size > 0 && firstNumberIn(path) > oldest) copied++
      await again.close()
    }),
    { numRuns: 100 },
  )
  expect(copied).toBeGreaterThan(10)
})
