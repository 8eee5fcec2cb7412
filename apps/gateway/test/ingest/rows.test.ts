import { describe, expect, it } from 'vitest'
import { type ColumnDefinition, conflictOf, type Definition, definitionSchema } from '../../src/ingest/definition.js'
import { sentDigits } from '../../src/ingest/rows/exact-number.js'
import { RowChecker } from '../../src/ingest/rows/row-checker.js'
import { dayOf, momentOf, partitionOf } from '../../src/ingest/rows/time.js'

const define = (it: unknown): Definition => definitionSchema.parse(it)
const one = (type: ColumnDefinition['type'], nullable = false) =>
  new RowChecker(
    's',
    define({
      columns: [
        { name: 'a', type, nullable },
        { name: 'z', type: 'Int8' },
      ],
      order_by: ['z'],
    }),
  )

/** What is kept of a value, or what is wrong with it. */
function kept(type: ColumnDefinition['type'], json: string, nullable = false): string {
  const it = one(type, nullable).check(`{"a":${json}}`)
  return 'errors' in it ? (it.errors[0]?.message ?? '') : it.row.slice(5, -1)
}

describe('a value of each type', () => {
  it.each([
    ['Int8', '-128', '-128'],
    ['Int8', '127', '127'],
    ['Int8', '1.0', '1'],
    ['Int8', '-0', '0'],
    ['UInt32', '4294967295', '4294967295'],
    ['Int64', '-9223372036854775808', '-9223372036854775808'],
    ['Int64', '"9223372036854775807"', '9223372036854775807'],
    ['UInt64', '18446744073709551615', '18446744073709551615'],
    ['UInt64', '"0042"', '42'],
    ['Float32', '0.1', '0.1'],
    ['Float64', '1e300', '1e+300'],
    ['String', '"a\\u00e4\\n\\"\\\\"', '"aä\\n\\"\\\\"'],
    ['String', '"\\ud83d\\ude00"', '"😀"'],
    ['Date', '"2024-02-29"', '"2024-02-29"'],
    ['DateTime', '"2026-01-01T12:00:00Z"', '"2026-01-01T12:00:00Z"'],
    ['DateTime', '"2026-01-01T00:30:00.999+02:00"', '"2025-12-31T22:30:00Z"'],
  ] as const)('%s %s is kept as %s', (type, json, as) => {
    expect(kept(type, json)).toBe(as)
  })

  it.each([
    ['Int8', '128', 'is not a whole number from -128 to 127'],
    ['Int8', '"1"', 'is not a whole number from -128 to 127'],
    ['UInt8', '-1', 'is not a whole number from 0 to 255'],
    ['UInt8', '1.5', 'is not a whole number from 0 to 255'],
    ['UInt64', '18446744073709551616', 'is not a whole number from 0 to 18446744073709551615, as a number or as text'],
    ['UInt64', '"1e3"', 'is not a whole number from 0 to 18446744073709551615, as a number or as text'],
    ['Int64', '1e30', /^is not a whole number/],
    ['Float64', '1e999', 'is larger than a Float64 can hold'],
    ['Float32', '1e39', 'is larger than a Float32 can hold'],
    ['Float64', '"1"', 'is not a number'],
    ['String', '1', 'is not text'],
    ['String', '"\\ud800"', 'holds half a character (a lone surrogate)'],
    ['String', 'null', 'is null, which it cannot be'],
    ['Date', '"2023-02-29"', /^is not a date/],
    ['Date', '"2150-01-01"', /^is not a date/],
    ['DateTime', '"2026-01-01 12:00:00"', /^is not a time written/],
    ['DateTime', '"2026-01-01T12:00:00"', /^is not a time written/],
    ['DateTime', '"2026-02-30T12:00:00Z"', /^is not a time written/],
    ['DateTime', '"2026-01-01T24:00:00Z"', /^is not a time written/],
    ['DateTime', '"1969-12-31T23:59:59Z"', /^is not a time written/],
    ['DateTime', '"2106-02-07T06:28:16Z"', /^is not a time written/],
    ['DateTime', '1767268800', /^is not a time written/],
  ] as const)('%s %s %s', (type, json, why) => {
    expect(kept(type, json)).toMatch(why instanceof RegExp ? why : new RegExp(`^${why.replace(/[()]/g, '\\$&')}$`))
  })

  it('may be null where its column may', () => {
    expect(kept('Int8', 'null', true)).toBe('null')
  })

  it('has the digits that were sent, whatever else is in the row', () => {
    const digits = sentDigits('{"a":{"a":1},"b\\"":[{"a":2}],"c":"a\\":3","a" : 9007199254740993 ,"\\u0064":-4e2}')
    expect([...digits]).toEqual([
      ['a', '9007199254740993'],
      ['d', '-4e2'],
    ])
  })

  it('of a day and a moment is the partition that the engine calls so', () => {
    expect((['day', 'month', 'year'] as const).map((by) => partitionOf('2026-11-30T23:00:00Z', by))).toEqual([
      ...['20261130', '202611', '2026'],
    ])
    expect([momentOf('2106-02-07T06:28:15.9Z'), dayOf('2149-06-06'), dayOf('1970-01-01')]).toEqual([
      ...['2106-02-07T06:28:15Z', '2149-06-06', '1970-01-01'],
    ])
  })
})

describe('a row', () => {
  const clicks = define({
    columns: [
      { name: 'time', type: 'DateTime' },
      { name: 'path', type: 'String', nullable: true },
    ],
    partition: { column: 'time', by: 'month' },
  })
  const check = (text: string) => new RowChecker('clicks', clicks).check(text)

  it('that fits is one line in one form, and has its partition', () => {
    expect(check('{"path":null,\n "time":"2026-01-31T23:30:00-01:00", "path":"/"}')).toEqual({
      ...{ partition: '202602', row: '{"path":"/","time":"2026-02-01T00:30:00Z"}' },
    })
    expect(check('{}')).toEqual({ partition: '197001', row: '{}' })
  })

  it.each([
    ['[1]', 'row', 'is not a JSON object'],
    ['null', 'row', 'is not a JSON object'],
    ['{"path":"/"', 'row', 'is not JSON; send one object a line'],
    ['{"__proto__":1}', '__proto__', 'is no column of clicks'],
    ['{"_block":"x"}', '_block', 'is no column of clicks'],
    ['{"constructor":{}}', 'constructor', 'is no column of clicks'],
  ])('%s does not', (text, parameter, message) => {
    expect(check(text)).toMatchObject({ row: text, errors: [{ parameter, message }] })
  })

  it('tells ten faults at most, each shortened', () => {
    const row = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`.padEnd(100, 'x'), 'v'.repeat(100)]))
    const it = check(JSON.stringify(row))
    expect('errors' in it && [it.errors.length, it.errors[0]?.value, it.errors[0]?.parameter.length]).toEqual([
      ...[10, `${'v'.repeat(64)}…`, 65],
    ])
  })
})

describe('a definition', () => {
  const columns = [
    { name: 'id', type: 'UInt64' },
    { name: 'day', type: 'Date' },
  ]
  const faults = (it: object) =>
    definitionSchema.safeParse({ columns, ...it }).error?.issues.map((issue) => issue.message)

  it('has every default in place', () => {
    expect(define({ columns })).toEqual({
      ...{ description: '', columns, order_by: ['id'] },
      plan: {
        ...{ flush_interval_ms: 1000, backlog_max_bytes: 1_073_741_824, backlog_max_age_s: 86_400 },
        ...{ requests_per_second: 5, burst: 10, rows_per_second: 10_000 },
      },
    })
  })

  it.each([
    [{ order_by: ['nope'] }, 'is no column; there are id, day'],
    [{ order_by: ['id', 'id'] }, 'is there twice; name each column once'],
    [{ order_by: Array(1001).fill('id') }, 'has more than 1000'],
    [{ columns: [...columns, { name: 'id', type: 'Int8' }] }, 'is there twice; give each column its own name'],
    [
      { columns: [{ name: 'id', type: 'Int8', nullable: true }] },
      '"id" is nullable; rows are sorted by columns that are not',
    ],
    [{ partition: { column: 'id', by: 'day' } }, 'is no column of type Date or DateTime without null'],
    [{ plan: { flush_interval_ms: 9 } }, 'must be a whole number from 10 to 60000'],
    [{ plan: { burst: 1.5 } }, 'must be a whole number from 1 to 1000000'],
  ])('refuses %j: %s', (it, message) => {
    expect(faults(it)).toEqual([message])
  })

  it('can have columns added and descriptions changed, and nothing else', () => {
    const before = define({ columns, partition: { column: 'day', by: 'month' } })
    const change = (it: object) => conflictOf(before, define({ columns, partition: before.partition, ...it }))
    expect(
      change({ columns: [...columns, { name: 'x', type: 'Int8' }], description: 'New.', plan: { burst: 3 } }),
    ).toBe(undefined)
    expect(
      change({ columns: columns.map((it) => ({ ...it, nullable: it.name === 'day' })), partition: undefined }),
    ).toBe('Column "day" is Date and cannot become Nullable(Date). Columns can only be added; make a new data source.')
    expect(change({ columns: columns.slice(0, 1), partition: undefined })).toMatch(
      /^Column "day" is there and cannot be removed/,
    )
    expect(change({ partition: { column: 'day', by: 'day' } })).toBe(
      'The partition is {"column":"day","by":"month"} and cannot become {"column":"day","by":"day"}. Make a new data source.',
    )
    expect(change({ order_by: ['day'] })).toMatch(/^The order is \["id"\] and cannot become \["day"\]/)
  })
})
