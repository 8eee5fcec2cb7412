import { describe, expect, it } from 'vitest'
import type { ColumnDefinition } from '../../src/ingest/definition.js'
import { RowChecker } from '../../src/ingest/rows/row-checker.js'

type Type = ColumnDefinition['type']

/** The row as it is kept, or nothing: it does not fit. An engine takes 256 for a UInt8 to be 0, and null as well. */
function kept(type: Type, row: string, nullable = false): string | undefined {
  const checker = new RowChecker('clicks', {
    columns: [{ name: 'a', type, nullable }],
    ...{ description: '', order_by: ['a'] },
    plan: {
      ...{ flush_interval_ms: 1000, backlog_max_bytes: 1e9, backlog_max_age_s: 1e5 },
      ...{ requests_per_second: 5, burst: 10, rows_per_second: 1e4 },
    },
  })
  const checked = checker.check(row)
  return 'partition' in checked ? checked.row : undefined
}

const BITS = [8, 16, 32, 64] as const
const WHOLE = BITS.flatMap((bits): [Type, bigint, bigint][] => [
  [`Int${bits}`, -(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n],
  [`UInt${bits}`, 0n, 2n ** BigInt(bits) - 1n],
])
const TYPES: Type[] = [...WHOLE.map(([type]) => type), 'Float32', 'Float64', 'String', 'Date', 'DateTime']

describe('a value that its column cannot hold', () => {
  it.each(WHOLE)('is not kept as another one: %s', (type, least, most) => {
    for (const it of [least, most]) expect(kept(type, `{"a":${it}}`)).toBe(`{"a":${it}}`)
    const beyond = [least - 1n, most + 1n, least * 2n - 1n, most * 256n, 2n ** 64n, -(2n ** 63n) - 1n, 10n ** 400n]
    for (const it of beyond)
      for (const json of [String(it), `"${it}"`]) expect([json, kept(type, `{"a":${json}}`)]).toEqual([json, undefined])
    for (const json of [
      '1.5',
      '1e400',
      '-1e400',
      '1e-5',
      '"1.5"',
      '""',
      '" 1"',
      '"0x1"',
      '"1e3"',
      '[1]',
      '{"a":1}',
      'true',
    ])
      expect([json, kept(type, `{"a":${json}}`)]).toEqual([json, undefined])
  })

  it.each<[Type, string[]]>([
    ['Float32', ['3.5e38', '-3.5e38', '1e39', '1e400', '-1e400', '"1"', '"inf"', '"nan"', 'true', '[1]']],
    ['Float64', ['1e309', '-1e309', `${'9'.repeat(400)}`, '"1"', '"inf"', 'true', '[1]']],
    [
      'Date',
      ['"1969-12-31"', '"2149-06-07"', '"2026-02-30"', '"0000-00-00"', '"9999-12-31"', '1', '"1"', '""', 'true'],
    ],
    [
      'DateTime',
      [
        ...['"1969-12-31T23:59:59Z"', '"2106-02-07T06:28:16Z"', '"2026-02-30T00:00:00Z"', '"2026-01-01T24:00:00Z"'],
        ...['"1970-01-01T00:00:00+01:00"', '"2026-01-01"', '1767225600', '"1767225600"', '""', 'true'],
      ],
    ],
    ['String', ['1', 'true', '[]', '{}', '"\\ud800"', '"\\udfff a"']],
  ])('is not kept as another one: %s', (type, values) => {
    for (const json of values) expect([json, kept(type, `{"a":${json}}`)]).toEqual([json, undefined])
  })

  it.each(TYPES)('is null only where the column is nullable: %s', (type) => {
    const row = '{"a":null}'
    expect([kept(type, row), kept(type, row, true)]).toEqual([undefined, '{"a":null}'])
  })

  // What is exact is read from the text of the row, and must be of the member that counts: the last.
  it.each([
    ['{"a":1,"a":18446744073709551615}', '{"a":18446744073709551615}'],
    ['{"a":1,"\\u0061":18446744073709551615}', '{"a":18446744073709551615}'],
    [`{"a":1,"a":${' '.repeat(500)}18446744073709551615}`, '{"a":18446744073709551615}'],
    [`{"a":1,"a"${'\n'.repeat(500)}:18446744073709551615}`, '{"a":18446744073709551615}'],
    ['{"a":"1","a":18446744073709551615}', '{"a":18446744073709551615}'],
    ['{"a":1,"a":18446744073709551616}', undefined],
    ['{"a":1,"a":1e19}', undefined],
    [`{"a":1,"a":${'9'.repeat(500)}}`, undefined],
  ])('is exact where it is there twice: %s', (row, is) => {
    expect(kept('UInt64', row)).toBe(is)
  })
})
