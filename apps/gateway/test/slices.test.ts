import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IngestEvent } from '@sluice/ingest'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readBatch } from '../src/ingest/batch/read-batch.js'
import { type BatchForm, rowsOfBody } from '../src/ingest/batch/rows-of-body.js'
import { BatchKeys } from '../src/ingest/batch-keys.js'
import { definitionSchema } from '../src/ingest/definition.js'
import { Quarantine } from '../src/ingest/quarantine.js'
import { RowChecker } from '../src/ingest/rows/row-checker.js'
import { pipeSchema } from '../src/pipes/pipe-definition.js'
import { placeholderFault } from '../src/pipes/registry.js'
import { linesOfRows } from '../src/server/export-backlog.js'
import { Slices } from '../src/slices.js'

const MIB = 1_048_576
const MOST = 10 * MIB
const many = (piece: string, bytes = MOST) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))

describe('work in slices', () => {
  it('has ten milliseconds in a turn of the event loop, tenants after one another', async () => {
    let now = 0
    const slices = new Slices(() => now)
    const done: string[] = []
    const of = async (owner: string, pieces: number) => {
      const work = slices.work(owner)
      for (let i = 0; i < pieces; i++) {
        now += 4
        done.push(owner)
        if (work.isDue(4096)) await work.pause()
      }
    }
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      done.push('|')
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await Promise.all([of('a', 8), of('a', 8), of('b', 4)])
    isOver = true
    // Who comes while the slice of this turn is used up has one piece at once, and then waits like all.
    expect(done.join('').replaceAll(/\|+/g, '|').replace(/\|$/, '')).toBe('aaaaab|aaaa|bbb|aaaa|aaa')
    expect(turns).toBeGreaterThan(4)
  })

  it('looks at the clock for little work only now and then', () => {
    let looks = 0
    const work = new Slices(() => looks++).work('a')
    for (let i = 0; i < 640; i++) work.isDue(0)
    expect(looks).toBe(10)
  })
})

describe('what is long is done in slices:', () => {
  /** Each look at the clock is eleven milliseconds after the one before. */
  const busy = () => {
    let now = 0
    const slices = new Slices(() => (now += 11))
    return { slices, owners: vi.spyOn(slices, 'next') }
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-slices-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('rows in quarantine, and keys', async () => {
    const { slices, owners } = busy()
    const quarantine = await Quarantine.open(join(folder, 'quarantine'), () => 0, slices)
    const errors = [{ parameter: 'row', message: 'is not JSON' }]
    await quarantine.add('acme/d/s', Array(1000).fill({ row: 'x', errors }))
    expect((await quarantine.list('acme/d/s')).length).toBe(1000)
    expect(owners.mock.calls.length).toBeGreaterThan(10)
    expect(new Set(owners.mock.calls.flat())).toEqual(new Set(['acme']))
    owners.mockClear()
    const path = join(folder, 'keys')
    const batch = { source: 'acme/d/s', bodyHash: 'x', atMs: 0, accepted: 1, quarantined: 0 }
    const keys = await BatchKeys.open(path, () => 0, slices)
    await Promise.all(Array.from({ length: 1000 }, (_, i) => keys.add({ ...batch, key: `k${i}` })))
    await Promise.all([keys.close(), quarantine.close()])
    const again = await BatchKeys.open(path, () => 0, slices)
    expect(await again.find('acme/d/s', 'k999')).toMatchObject({ key: 'k999' })
    expect(owners.mock.calls.length).toBeGreaterThan(10)
    await again.close()
  })

  const rows = async function* (count: number): AsyncGenerator<IngestEvent> {
    for (let i = 0; i < count; i++) yield { partition: 'p', row: String(i).padStart(100, '0') }
    if (count === 7) throw new Error('the disk')
  }

  it('an export, of which no more is read than is taken', async () => {
    const { slices, owners } = busy()
    const onLeave = vi.fn()
    const reader = linesOfRows(rows(1000), slices.work('acme'), onLeave).getReader()
    expect(owners).not.toHaveBeenCalled()
    let text = ''
    for (let it = await reader.read(); !it.done; it = await reader.read()) text += new TextDecoder().decode(it.value)
    expect([text.split('\n').length, text.slice(-101)]).toEqual([1001, `${'999'.padStart(100, '0')}\n`])
    expect(owners.mock.calls.length).toBeGreaterThan(10)
    expect(onLeave).toHaveBeenCalledTimes(1)
  })

  it('an export whose client leaves, or whose disk fails, gives its place back once', async () => {
    const { slices } = busy()
    const onLeave = vi.fn()
    const left = linesOfRows(rows(1000), slices.work('acme'), onLeave).getReader()
    await left.read()
    await left.cancel()
    expect(onLeave).toHaveBeenCalledTimes(1)
    const failed = linesOfRows(rows(7), slices.work('acme'), onLeave).getReader()
    await expect(failed.read()).rejects.toThrow('the disk')
    expect(onLeave).toHaveBeenCalledTimes(2)
  })
})

/** The longest that the event loop had no turn in, in ms of this process's own time: others on the machine count little. */
async function longestStall(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  isOver = true
  turn()
  return longest
}

/**
 * What a sender can think of, ten megabytes of each. With rows unbounded, or read in one piece, several of these took
 * seconds; here a slice takes ten milliseconds, and one row one or two.
 */
describe('no body holds up who asks for something else:', () => {
  const columns = [
    { name: 'id', type: 'UInt64' },
    { name: 'text', type: 'String' },
  ]
  const two = new RowChecker('s', definitionSchema.parse({ columns }))
  const wide = new RowChecker(
    's',
    definitionSchema.parse({ columns: Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type: 'UInt64' })) }),
  )
  const keys = Array.from({ length: 900_000 }, (_, i) => `"${i.toString(36)}":0`).join(',')
  const of64Bits = `{${Array.from({ length: 1000 }, (_, i) => `"c${i}":18446744073709551615`).join(',')}}\n`

  it.each<[string, BatchForm, RowChecker, string]>([
    ['a million members', 'lines', two, `{${keys}}`],
    ['a million members in an array', 'array', two, `[{${keys}}]`],
    ['a million objects in a row', 'lines', two, `{"id":[${many('{},', MOST - 20)}{}]}`],
    ['rows of many objects', 'lines', two, many(`{"id":[${many('{},', 9000)}{}]}\n`)],
    ['arrays in arrays', 'lines', two, `{"id":[${many(`${'['.repeat(90)}${']'.repeat(90)},`, MOST - 20)}1]}`],
    ['line feeds', 'lines', two, '\n'.repeat(MOST)],
    ['spaces in lines', 'lines', two, many(' \n')],
    ['one line of spaces', 'lines', two, ' '.repeat(MOST)],
    ['an array of spaces', 'array', two, `[${' '.repeat(MOST - 2)}]`],
    ['an array of commas', 'array', two, `[${','.repeat(MOST - 2)}]`],
    ['an array that never ends', 'array', two, many('{"a":[')],
    ['rows of a long text', 'lines', two, many(`{"text":"${'ä'.repeat(500_000)}"}\n`)],
    ['rows of escapes', 'lines', two, many(`{"text":"${many('\\u0041', MIB - 20)}","id":"7"}\n`)],
    ['rows of a long number', 'lines', two, many(`{"id":0.${'9'.repeat(MIB - 20)}}\n`)],
    [
      'rows of a long number that is one',
      'lines',
      two,
      many(`{"id":${'9'.repeat(300)},"text":"${'"\\""'.slice(1, 3).repeat(500_000)}"}\n`),
    ],
    ['tiny rows in an array', 'array', two, `[${'{},'.repeat(199_999)}{}]`],
    ['rows that are none', 'lines', two, '0\n'.repeat(200_000)],
    ['rows of a thousand large numbers', 'lines', wide, many(of64Bits)],
  ])('%s', async (_, form, checker, text) => {
    const body = Buffer.from(text)
    const slices = new Slices(() => performance.now())
    const stall = await longestStall(async () => {
      const work = slices.work('acme')
      const reading = rowsOfBody(body, form, 200_000, work).then((rows) => readBatch(rows, checker, work))
      await reading.catch((error: Error) => expect(error.name).toBe('UnreadableBodyError'))
    })
    expect(stall).toBeLessThan(250)
  })
})

/** 64 KiB of each, which come in one piece: some took seconds, and one took hours. */
describe('no definition does:', () => {
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`)
  const column = { name: 'a', type: 'Int8' }
  const sql = (text: string) => ({ sql: `SELECT ${text}` })

  it.each<[string, 'pipe' | 'data source', unknown]>([
    ['columns without anything', 'data source', { columns: Array(20_000).fill({}) }],
    ['a thousand columns of one name', 'data source', { columns: Array(1000).fill(column) }],
    ['an order by one column many times', 'data source', { columns: [column], order_by: Array(16_000).fill('a') }],
    [
      'an order by columns that there are not',
      'data source',
      { columns: names('a', 1000).map((name) => ({ ...column, name })), order_by: names('b', 3500) },
    ],
    ['parameters without anything', 'pipe', { sql: 'SELECT 1', parameters: Array(20_000).fill({}) }],
    ['spaces in a placeholder', 'pipe', sql(`'{a:${' '.repeat(60_000)}'`)],
    ['placeholders that are none', 'pipe', sql(`'${'{a:b '.repeat(12_000)}'`)],
    ['texts that never end', 'pipe', sql("'\\".repeat(30_000))],
    ['names that never end', 'pipe', sql('"\\'.repeat(30_000))],
    ['comments that never end', 'pipe', sql('/* '.repeat(20_000))],
    ['brackets', 'pipe', sql('('.repeat(60_000))],
    ['as many names with a dot', 'pipe', sql(`${'a.b,'.repeat(15_000)}a`)],
    ['as many texts', 'pipe', sql(`${"'a',".repeat(15_000)}a`)],
    ['brackets behind IN', 'pipe', sql(`a IN ${'('.repeat(30_000)}a.b${')'.repeat(30_000)}`)],
    ['IN without end', 'pipe', sql('a NOT IN '.repeat(7000))],
    ['as many names as there can be', 'pipe', sql(`${'a,'.repeat(30_000)}a`)],
  ])('%s', async (_, what, definition) => {
    const schema = what === 'pipe' ? pipeSchema('long') : definitionSchema
    const stall = await longestStall(async () => schema.safeParse(definition))
    expect(stall).toBeLessThan(250)
  })

  it.each([`{a:${' '.repeat(60_000)}`, '{a:b '.repeat(12_000), `{${' '.repeat(60_000)}`])('%.9s…', async (text) => {
    const stall = await longestStall(async () => placeholderFault({ sql: text, parameters: {} }))
    expect(stall).toBeLessThan(250)
  })
})
