import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BatchLines } from '../../src/ingest/batch/batch-lines.js'
import { type Definition, definitionSchema } from '../../src/ingest/definition.js'
import { PlainRows } from '../../src/ingest/rows/plain-rows.js'
import { RowChecker } from '../../src/ingest/rows/row-checker.js'

const TYPES = [
  ...(['String', 'Date', 'DateTime', 'Int8', 'Int16', 'Int32', 'Int64'] as const),
  ...(['UInt8', 'UInt16', 'UInt32', 'UInt64', 'Float32', 'Float64'] as const),
]
const columns = TYPES.flatMap((type) => [
  { name: type.toLowerCase(), type },
  { name: `${type.toLowerCase()}_or_null`, type, nullable: true },
])
const define = (by: 'day' | 'month' | 'year'): Definition =>
  definitionSchema.parse({ columns, partition: { column: 'datetime', by }, order_by: ['datetime'] })

const BITS: Readonly<Record<string, bigint>> = { Int8: 8n, Int16: 16n, Int32: 32n, Int64: 64n }
/** At a power of two or of ten, or beside one. */
const whole = (type: string): fc.Arbitrary<string> => {
  const bits = BITS[type.replace('U', '')] ?? 8n
  const tens = fc
    .tuple(fc.bigInt(1n, 9n), fc.integer({ min: 0, max: 20 }))
    .map(([it, zeros]) => it * 10n ** BigInt(zeros))
  return fc
    .tuple(fc.oneof(fc.constantFrom(2n ** bits, 2n ** (bits - 1n)), tens), fc.bigInt(-2n, 2n), fc.boolean())
    .map(([it, more, isNegative]) => `${isNegative ? '-' : ''}${it + more}`)
}
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '-0.00',
    '00',
    '01',
    '1.0',
    '1e3',
    '1.50',
    '-0.5',
    '.5',
    '5.',
    '+1',
    '9007199254740993',
    '1e999',
  ),
  fc.double().map((it) => JSON.stringify(it)),
  fc.integer().map((it) => `${it}`),
)
const time = fc
  .record({
    year: fc.constantFrom('1969', '1970', '1999', '2000', '2024', '2026', '2099', '2100', '2106', '2149', '2150'),
    month: fc.oneof(
      fc.constant('02'),
      fc.integer({ min: 0, max: 13 }).map((it) => `${it}`.padStart(2, '0')),
    ),
    day: fc.constantFrom('00', '01', '07', '10', '20', '28', '29', '29', '30', '31', '32'),
    rest: fc.constantFrom(
      '',
      'T00:00:00Z',
      'T23:59:59Z',
      'T24:00:00Z',
      'T12:30:00.0Z',
      'T12:30:00.5Z',
      'T12:30:00+02:00',
    ),
  })
  .map(({ year, month, day, rest }) => `"${year}-${month}-${day}${rest}"`)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((it) => JSON.stringify(it)),
  fc.constantFrom('"\\u0041"', '"a\tb"', '"\\ud83d"', '"{\\"a\\":1}"', '"2026-01-01T00:00:00.5Z"', '"x", "y"'),
)
const any = fc.oneof(number, time, text, fc.constantFrom('null', 'true', '{}', '[]'))
/** What may be a value of a type, or nearly. */
const near = (type: string): fc.Arbitrary<string> =>
  type === 'String' ? text : type.startsWith('Date') ? time : type.startsWith('Float') ? number : whole(type)
/** One that fits nearly always, so that an order of members is learned, and most of all others differ in one member. */
const fitting = (type: string): fc.Arbitrary<string> =>
  type === 'String'
    ? fc.constantFrom('"plain"', '"größer"', '"T00:00:00.000Z"')
    : type === 'Date'
      ? fc.constantFrom('"2026-03-31"', '"1999-12-01"')
      : type === 'DateTime'
        ? fc.constantFrom('"2026-03-31T01:02:03Z"', '"2026-03-31T01:02:03.999Z"', '"1999-12-01T00:00:00.1Z"')
        : fc.constantFrom('0', '7', '42')

const rows = fc
  .record({
    members: fc.shuffledSubarray(columns, { minLength: 1, maxLength: 5 }),
    space: fc.constantFrom('', ' ', '  '),
    by: fc.constantFrom('day' as const, 'month' as const, 'year' as const),
  })
  .chain(({ members, space, by }) => {
    const row = (values: readonly string[]) =>
      `{${members.map(({ name }, i) => `"${name}":${space}${values[i]}`).join(`,${space}`)}}`
    const plain = fc.tuple(...members.map(({ type }) => fitting(type)))
    const odd = fc
      .record({ plain, at: fc.nat(members.length - 1) })
      .chain(({ plain, at }) =>
        fc.oneof(near(members[at]?.type ?? ''), any).map((value) => plain.map((it, i) => (i === at ? value : it))),
      )
    return fc.record({
      by: fc.constant(by),
      rows: fc.array(fc.oneof(plain, odd).map(row), { minLength: 2, maxLength: 8 }),
    })
  })

/** What is kept of a row that is taken as it is, and where; it lies among others. */
const taken = (plain: PlainRows, row: string) => {
  const bytes = Buffer.from(`{}\n${row}\n{"x":1}`)
  const end = bytes.length - 8
  const found = plain.read(bytes, 3, end)
  if (found === undefined) return undefined
  const lines = new BatchLines(bytes)
  lines.add(found, 3, end)
  const [{ partition = '', lines: kept = bytes } = {}] = lines.all()
  return { partition, row: Buffer.from(kept).toString() }
}

it('what is taken without being parsed is what would have been taken, with the same values', () => {
  let recognised = 0
  fc.assert(
    fc.property(rows, ({ by, rows }) => {
      const definition = define(by)
      const plain = new PlainRows(definition)
      for (const row of rows) {
        const parsed = new RowChecker('s', definition).check(row)
        const read = taken(plain, row)
        if (read !== undefined) {
          recognised++
          if ('errors' in parsed) throw new Error(`${row} was taken, but ${JSON.stringify(parsed.errors)}`)
          expect(read.partition).toBe(parsed.partition)
          expect(JSON.parse(read.row)).toStrictEqual(JSON.parse(parsed.row))
        }
        if (!('errors' in parsed)) plain.learn(row, Object.keys(JSON.parse(row)))
      }
    }),
    { numRuns: 5000 },
  )
  expect(recognised).toBeGreaterThan(3000)
})

it('rows of four orders of members are recognised side by side, a fifth takes the place of the first', () => {
  const plain = new PlainRows(define('day'))
  const of = (i: number) => `{"${columns[2 * i + 6]?.name}":1}`
  for (let i = 0; i < 4; i++) plain.learn(of(i), Object.keys(JSON.parse(of(i))))
  expect([0, 1, 2, 3, 4].map((i) => taken(plain, of(i))?.row)).toEqual([of(0), of(1), of(2), of(3), undefined])
  plain.learn(of(4), Object.keys(JSON.parse(of(4))))
  expect([0, 1, 2, 3, 4].map((i) => taken(plain, of(i))?.row)).toEqual([undefined, of(1), of(2), of(3), of(4)])
  plain.learn(of(0), Object.keys(JSON.parse(of(0)))) // too soon
  expect(taken(plain, of(0))).toBeUndefined()
})
