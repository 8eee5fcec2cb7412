import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ArrayScan } from '../../src/ingest/batch/array-scan.js'
import { type Batch, readBatch } from '../../src/ingest/batch/read-batch.js'
import { type BatchForm, rowsOfBody } from '../../src/ingest/batch/rows-of-body.js'
import { type Definition, definitionSchema } from '../../src/ingest/definition.js'
import { RowChecker } from '../../src/ingest/rows/row-checker.js'
import { Slices } from '../../src/slices.js'

const define = (it: unknown): Definition => definitionSchema.parse(it)

/** Each with its partition, one partition after another. */
const rowsOf = ({ events }: Batch): [string, string][] =>
  events.flatMap(({ partition, lines, count }) => {
    const rows = Buffer.from(lines).toString().split('\n')
    expect(rows.length).toBe(count)
    return rows.map((row): [string, string] => [partition, row])
  })

describe('a body', () => {
  const work = new Slices(() => 0).work('acme')
  const found = async (text: string | Uint8Array, form: BatchForm, most = 99) => {
    const { body, bounds, count } = await rowsOfBody(Buffer.from(text), form, most, work)
    const rows = bounds.flatMap((from, i) => (i % 2 === 0 ? [body.toString('utf8', from, bounds[i + 1])] : []))
    return { rows, count }
  }

  it('of lines has those that are not empty, and those that are cost as much', async () => {
    expect(await found('{"a":1}\r\n\n  \n{"a":2}', 'lines')).toEqual({ rows: ['{"a":1}', '{"a":2}'], count: 4 })
    expect(await found('{"a":1}\n', 'lines')).toEqual({ rows: ['{"a":1}'], count: 1 })
    expect(await found('\n\n \t\n ', 'lines')).toEqual({ rows: [], count: 3 })
  })

  it('that is an array has its elements as they were sent', async () => {
    expect(await found(' [ {"a":[1,2]} ,{"b":"],\\"","c":{}}\n]  ', 'array')).toEqual({
      ...{ rows: ['{"a":[1,2]}', '{"b":"],\\"","c":{}}'], count: 2 },
    })
    expect(await found('[]', 'array')).toEqual({ rows: [], count: 0 })
    expect(await found('[ , ]', 'array')).toEqual({ rows: ['', ''], count: 2 })
  })

  it('that is an array has the elements that JSON.parse finds, in pieces of whatever length', async () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(values, fc.nat(3), fc.integer({ min: 1, max: 9 }), async (it, indent, step) => {
        const bytes = Buffer.from(JSON.stringify(it, null, indent))
        const texts: string[] = []
        const scan = new ArrayScan(0)
        for (let to = step; scan.end === undefined; to += step)
          scan.read(bytes, Math.min(to, bytes.length), (from, end) => texts.push(bytes.toString('utf8', from, end)))
        const rows = texts.map((text) => text.trim())
        expect([rows, scan.end]).toEqual([(await found(bytes, 'array')).rows, bytes.length - 1])
        expect(rows.map((row) => JSON.parse(row))).toEqual(JSON.parse(bytes.toString()))
      }),
    )
  })

  const columns = [{ name: 'a', type: 'Int8' }]
  const checker = new RowChecker('s', define({ columns }))
  const read = async (text: string | Uint8Array, form: BatchForm, most = 5) =>
    readBatch(await rowsOfBody(Buffer.from(text), form, most, work), checker, work)

  it.each([
    ['{}', 'is not a JSON array of objects'],
    ['[{}', 'is not JSON: it ends within the array'],
    ['[{}}', 'is not JSON: something else follows at 3'],
    ['[{}] x', 'is not JSON: something else follows at 3'],
    ['[{},]', 'is not JSON: its element 2 cannot be read'],
    ['[,{}]', 'is not JSON: its element 1 cannot be read'],
    ['[{"a":tru}]', 'is not JSON: its element 1 cannot be read'],
    ['[{} {}]', 'is not JSON: its element 1 cannot be read'],
    ['[\u00a0{}]', 'is not JSON: its element 1 cannot be read'],
    ['[]', 'has no rows; send at least one'],
    ['[{},{},{},{},{},{}]', 'has more than 5 rows; send them in several requests'],
  ])('%s cannot be read: %s', async (text, message) => {
    await expect(read(text, 'array')).rejects.toThrow(message)
  })

  it.each([
    ['', 'has no rows; send at least one'],
    ['\n \u00a0\n', 'has no rows; send at least one'],
    ['{}\n\n\n\n{}\n{}', 'has more than 5 rows, empty lines counted; send them in several requests'],
  ])('of lines %j cannot be read: %s', async (text, message) => {
    await expect(read(text, 'lines')).rejects.toThrow(message)
  })

  it('is in UTF-8', async () => {
    await expect(read(Buffer.from([0x7b, 0xff, 0x7d]), 'lines')).rejects.toThrow('is not UTF-8')
    for (const form of ['lines', 'array'] as const) {
      const text = form === 'lines' ? '{"a":1}\n{"a":"ä"}' : '[{"a":1},{"a":"ä"}]'
      expect(await read(`\ufeff${text}`, form)).toMatchObject({
        ...{ rows: 1, badRows: 1, bad: [{ row: '{"a":"ä"}' }] },
      })
      expect(rowsOf(await read(`\ufeff${text}`, form))).toEqual([['all', '{"a":1}']])
    }
  })

  it('has the texts of its rows wherever they are in it, be they longer than a piece', async () => {
    const texts = ['x', 'ä', '😀'].flatMap((it) => [1, 20_000, 40_000, 3].map((length) => it.repeat(length)))
    const text = new RowChecker('s', define({ columns: [{ name: 'text', type: 'String' }] }))
    const sent = texts.map((it) => JSON.stringify({ text: it }))
    const batch = await readBatch(await rowsOfBody(Buffer.from(sent.join('\n')), 'lines', 99, work), text, work)
    expect(rowsOf(batch).map(([, row]) => row)).toEqual(sent)
  })

  it('of nothing but bad rows is counted, and kept in part', async () => {
    const batch = await read('x\n'.repeat(4321), 'lines', 5000)
    expect([batch.events, batch.rows, batch.badRows, batch.bad.length]).toEqual([[], 0, 4321, 1000])
  })

  const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
  const wide = `{${Array.from({ length: 102 }, (_, i) => `"k${i}":1`).join(',')}}`
  const widest = `{${Array.from({ length: 102 }, () => '"a":1').join(',')}}`
  const LONG = 1_048_576
  it.each([
    ['that is nested deeply', deep, 'is nested too deep; send values alone'],
    ['of many members', wide.replace('}', ',"a":1}'), 'has more than 102 values; send one for each column'],
    ['of many objects', `{"a":[${'{},'.repeat(60)}{}]}`, 'has more than 102 values; send one for each column'],
    ['that is too long', `{"a":"${'ä'.repeat(LONG / 2)}"}`, `has more than ${LONG} bytes; send less in a row`],
  ])('with a row %s has it in quarantine, and is not parsed, be it an array', async (_, row, message) => {
    for (const text of [row, `[${row}]`, `[{"a":1},${row}]`]) {
      const parse = vi.spyOn(JSON, 'parse')
      const { rows, bad } = await read(text, text.startsWith('[') ? 'array' : 'lines')
      const parsed = parse.mock.calls.filter(([it]) => it.length > 20)
      parse.mockRestore()
      expect(bad.map(({ errors }) => errors)).toEqual([[{ parameter: 'row', message }]])
      expect([parsed, rows]).toEqual([[], text.startsWith('[{"a":1}') ? 1 : 0])
      expect(Buffer.byteLength(bad[0]?.row ?? '')).toBeLessThanOrEqual(4096)
    }
  })

  it('with a row of as many members as there may be is read', async () => {
    expect(rowsOf(await read(widest, 'lines'))).toEqual([['all', '{"a":1}']])
    expect((await read(wide, 'lines')).bad[0]?.errors[0]).toMatchObject({ message: 'is no column of s' })
  })

  it('has rows of a thousand partitions at most', async () => {
    const days = new RowChecker(
      's',
      define({
        ...{ columns: [{ name: 'day', type: 'Date' }], partition: { column: 'day', by: 'day' } },
      }),
    )
    const day = (i: number) => `{"day":"${new Date(i * 86_400_000).toISOString().slice(0, 10)}"}`
    const of = async (count: number) => {
      const text = Array.from({ length: 2 * count }, (_, i) => day(i % count)).join('\n')
      return readBatch(await rowsOfBody(Buffer.from(text), 'lines', 9999, work), days, work)
    }
    expect(await of(1000)).toMatchObject({ rows: 2000, events: { length: 1000 } })
    await expect(of(1001)).rejects.toThrow('has rows of more than 1000 partitions; send them in several requests')
  })

  it('of a table with a thousand columns is read', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `c${i}`)
    const times = new RowChecker('s', define({ columns: names.map((name) => ({ name, type: 'DateTime' })) }))
    const row = JSON.stringify(Object.fromEntries(names.map((name) => [name, '2026-01-01T00:00:00Z'])))
    const body = Buffer.from(`${row}\n${row}\n`)
    const batch = await readBatch(await rowsOfBody(body, 'lines', 99, work), times, work)
    expect(rowsOf(batch)).toEqual([
      ['all', row],
      ['all', row],
    ])
  })

  const mixed = define({
    ...{
      columns: [
        { name: 'at', type: 'DateTime' },
        { name: 'text', type: 'String', nullable: true },
      ],
    },
    ...{ partition: { column: 'at', by: 'month' } },
  })
  /** Kept as they are but for a fraction, written anew, or in quarantine; of three partitions. */
  const row = fc.oneof(
    fc
      .record({
        month: fc.constantFrom('01', '01', '01', '02', '03'),
        rest: fc.constantFrom('Z', '.5Z', '.123456789Z', '+01:00', 'x'),
        text: fc.oneof(
          fc.constantFrom('"a"', 'null', '"\\u0041"', '"é😀"', '"x\\", \\"y"', '1'),
          fc.constant(`"${'z'.repeat(600)}"`),
        ),
        isTurned: fc.boolean(),
        space: fc.constantFrom('', ' ', '  '),
      })
      .map(({ month, rest, text, isTurned, space }) => {
        const members = [`"at":${space}"2026-${month}-15T12:00:00${rest}"`, `"text":${space}${text}`]
        return `{${(isTurned ? members.reverse() : members).join(`,${space}`)}}`
      }),
    fc.constant('{}'),
  )

  it('has each row as its checker has it, in the order in which they came, by partition', async () => {
    const between = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', ' \n ')
    const parts = fc.array(fc.tuple(row, between), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(parts, fc.constantFrom('lines', 'array'), fc.boolean(), async (parts, form, isEnded) => {
        const rows = parts.map(([it]) => it)
        const lines = parts.map(([it, feed]) => it + feed).join('') + (isEnded ? '' : '{}')
        const text = form === 'lines' ? lines : `[${rows.join(' , ')}]`
        const expected = new Map<string, string[]>()
        let bad = 0
        // A checker that has seen no row parses each.
        for (const it of form === 'lines' && !isEnded ? [...rows, '{}'] : rows) {
          const checked = new RowChecker('s', mixed).check(it)
          if ('errors' in checked) bad++
          else expected.set(checked.partition, [...(expected.get(checked.partition) ?? []), checked.row])
        }
        const checker = new RowChecker('s', mixed)
        // Twice: the second time orders of members are known.
        for (const _ of [1, 2]) {
          const batch = await readBatch(
            await rowsOfBody(Buffer.from(text), form as BatchForm, 999, work),
            checker,
            work,
          )
          const found = rowsOf(batch).map(([partition, it]) => [partition, JSON.parse(it)])
          const wanted = [...expected].flatMap(([partition, its]) => its.map((it) => [partition, JSON.parse(it)]))
          expect([found, batch.badRows]).toEqual([wanted, bad])
          expect(batch.rows).toBe(found.length)
        }
      }),
      { numRuns: 500 },
    )
  })
})
