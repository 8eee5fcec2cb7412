import { describe, expect, it } from 'vitest'
import { describeFaults } from '../src/field-fault.js'
import { checkParameters } from '../src/pipes/check-parameters.js'
import { flightPipes } from '../src/pipes/flights/flight-pipes.js'
import { flightsPerDay } from '../src/pipes/flights/flights-per-day.js'
import {
  dateParameter,
  integerParameter,
  type PipeParameter,
  textParameter,
  timeParameter,
} from '../src/pipes/parameter.js'
import { parameterOf, parameterSchema } from '../src/pipes/parameter-definition.js'
import type { Pipe } from '../src/pipes/pipe.js'
import { PipeRegistry } from '../src/pipes/registry.js'

const pipe: Pipe = {
  name: 'sample',
  description: 'All kinds of parameters.',
  sql: 'SELECT {day:Date}, {word:String}, {limit:UInt32}',
  parameters: {
    day: dateParameter({ description: 'A day.', default: '2001-01-01' }),
    word: textParameter({ description: 'A word.', maxLength: 5 }),
    limit: integerParameter({ description: 'A number.', min: 1, max: 100, default: '10' }),
  },
}

const check = (query: string, of: Pipe = pipe) => checkParameters(of, query)

function messageOf(query: string, of: Pipe = pipe): string {
  const checked = check(query, of)
  return checked.ok ? '' : describeFaults(checked.issues)
}

describe('checkParameters', () => {
  it('fills in defaults and passes values through as text', () => {
    expect(check('word=a')).toEqual({ ok: true, values: { day: '2001-01-01', word: 'a', limit: '10' } })
    expect(check("word='%3B--&limit=100&day=2004-02-29")).toMatchObject({ values: { word: "';--", limit: '100' } })
  })

  it.each([
    ['', 'word is missing; send 1 to 5 characters.'],
    ['word=', 'word "" is not 1 to 5 characters.'],
    ['word=123456', 'word "123456" is not 1 to 5 characters.'],
    ['word=a&limit=0', 'limit "0" is not a whole number from 1 to 100.'],
    ['word=a&limit=101', 'limit "101" is not a whole number from 1 to 100.'],
    ['word=a&limit=1e1', 'limit "1e1" is not a whole number from 1 to 100.'],
    ['word=a&limit=-1', 'limit "-1" is not a whole number from 1 to 100.'],
    ['word=a&limit=1.5', 'limit "1.5" is not a whole number from 1 to 100.'],
    ['word=a&limit=', 'limit "" is not a whole number from 1 to 100.'],
    ['word=a&day=2001-02-30', 'day "2001-02-30" is not a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06.'],
    ['word=a&day=01/02/2001', 'day "01/02/2001" is not a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06.'],
    ['word=a&day=1969-12-31', 'day "1969-12-31" is not a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06.'],
    ['word=a&day=2149-06-07', 'day "2149-06-07" is not a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06.'],
    ['word=a&word=b', 'word "a" is there 2 times; send it once.'],
    ['word=%ff%41', 'word "\ufffdA" is not UTF-8; send text in UTF-8, percent-encoded.'],
    [
      'word=a&w%c3=b',
      'w\ufffd "b" is not UTF-8; send text in UTF-8, percent-encoded. w\ufffd is not a parameter of sample, which takes day, word, limit.',
    ],
    ['word=%ed%a0%80', 'word "\ufffd\ufffd\ufffd" is not UTF-8; send text in UTF-8, percent-encoded.'],
    ['word=a&wrod=b', 'wrod is not a parameter of sample, which takes day, word, limit.'],
    ['word=a&constructor=b', 'constructor is not a parameter of sample, which takes day, word, limit.'],
  ])('refuses "%s" and names field, value and remedy', (query, message) => {
    expect(messageOf(query)).toBe(message)
  })

  it.each([
    ['word=%f0%9f%98%80%f0%9f%98%80%f0%9f%98%80%f0%9f%98%80%f0%9f%98%80', '😀😀😀😀😀'],
    ['word=%EF%BF%BD', '\ufffd'],
    ['word=a+b%3D&limit=5', 'a b='],
    ['word=100%', '100%'],
    ['?word=%C3%A4', 'ä'],
  ])('takes "%s" as %s', (query, word) => {
    expect(check(query)).toMatchObject({ ok: true, values: { word } })
  })

  it('counts characters, of which an emoji is one, and takes no half of one', () => {
    expect(messageOf(`word=${'%F0%9F%98%80'.repeat(6)}`)).toBe('word "😀😀😀😀😀😀" is not 1 to 5 characters.')
    expect(pipe.parameters.word?.schema.safeParse('a\ud83d').success).toBe(false)
  })

  it('names everything that is wrong at once', () => {
    expect(messageOf('limit=0&day=x')).toMatch(/day "x".*word is missing.*limit "0"/)
  })

  it('shortens what it repeats', () => {
    expect(messageOf(`word=${'a'.repeat(10_000)}`).length).toBeLessThan(120)
  })

  it('checks what must hold between parameters', () => {
    expect(messageOf('from=2001-02-02&to=2001-02-01', flightsPerDay)).toBe(
      'from "2001-02-02" is after to "2001-02-01"; send an earlier day.',
    )
    expect(messageOf('from=2001-02-01&to=2001-02-01', flightsPerDay)).toBe('')
  })
})

/** What is bound of a text, by a parameter of a type as an administrator defines it. */
function bound(type: string, text: string, more: object = {}): string | undefined {
  const definition = parameterSchema.parse({ name: 'it', type, ...more })
  const parameter: PipeParameter = parameterOf(definition)
  return parameter.schema.safeParse(text).data
}

describe('a parameter of each type of a column', () => {
  it.each([
    ['Int8', '-128', '127', '-129', '128'],
    ['Int16', '-32768', '32767', '-32769', '32768'],
    ['Int32', '-2147483648', '2147483647', '-2147483649', '2147483648'],
    ['Int64', '-9223372036854775808', '9223372036854775807', '-9223372036854775809', '9223372036854775808'],
    ['UInt8', '0', '255', '-1', '256'],
    ['UInt16', '0', '65535', '-1', '65536'],
    ['UInt32', '0', '4294967295', '-1', '4294967296'],
    ['UInt64', '0', '18446744073709551615', '-1', '18446744073709551616'],
  ])('%s holds %s to %s, exactly', (type, least, most, below, above) => {
    expect([least, most, below, above].map((it) => bound(type, it))).toEqual([least, most, undefined, undefined])
    for (const text of ['', ' 1', '1 ', '+1', '1.0', '1e1', '0x1', '--1', '\u0661', `${'0'.repeat(20)}1`])
      expect(bound(type, text)).toBeUndefined()
    expect(bound(type, '007')).toBe('7')
  })

  it.each([
    ['Float64', '-1.5e-3', '-0.0015'],
    ['Float64', '1e308', '1e+308'],
    ['Float64', '1e309', undefined],
    ['Float64', `0.${'1'.repeat(60)}`, '0.1111111111111111'],
    ['Float64', '9'.repeat(308), '1e+308'],
    ['Float32', '3.4e38', '3.4e+38'],
    ['Float32', '3.5e38', undefined],
    ['Float64', 'inf', undefined],
    ['Float64', 'nan', undefined],
    ['Float64', '.5', undefined],
    ['Float64', '1_0', undefined],
    ['DateTime', '1970-01-01T00:00:05Z', '0000000005'],
    ['DateTime', '2026-01-01T13:00:00.9+01:00', '1767268800'],
    ['DateTime', '2106-02-07T06:28:16Z', undefined],
    ['DateTime', '2026-01-01 12:00:00', undefined],
    ['DateTime', '2026-02-30T12:00:00Z', undefined],
    ['DateTime', '2106-02-07T06:28:15Z', '4294967295'],
    ['DateTime', '1969-12-31T23:59:59Z', undefined],
    ['Date', '2026-01-01', '2026-01-01'],
    ['Date', '1970-01-01', '1970-01-01'],
    ['Date', '1969-12-31', undefined],
    ['Date', '2149-06-06', '2149-06-06'],
    ['Date', '2149-06-07', undefined],
    ['Date', '0000-00-00', undefined],
    ['Date', '9999-12-31', undefined],
    ['Date', '2026-1-1', undefined],
    ['String', "'", "'"],
  ])('%s takes %j as %j', (type, text, expected) => {
    expect(bound(type, text)).toBe(expected)
  })

  it('has bounds of its own, and a default as callers write it', () => {
    expect(['-3', '-2', '4', '5'].map((it) => bound('Int64', it, { min: -2, max: 4 }))).toEqual([
      ...[undefined, '-2', '4', undefined],
    ])
    expect(['0.4', '0.5', '1.5'].map((it) => bound('Float32', it, { min: 0.5, max: 1 }))).toEqual([
      ...[undefined, '0.5', undefined],
    ])
    const at = timeParameter({ description: '', default: '2026-01-01T12:00:00Z' })
    const timed = { ...pipe, sql: 'SELECT {at:DateTime}', parameters: { at } }
    expect(check('', timed)).toEqual({ ok: true, values: { at: '1767268800' } })
  })

  it.each<[object, string, string]>([
    [{ type: 'UInt65' }, 'type', 'is not one of String, Date, DateTime, Int8, Int16,'],
    [{ type: 'UInt8', max: 256 }, 'max', 'must be a whole number from 0 to 255'],
    [{ type: 'UInt64', min: 1.5 }, 'min', 'must be a whole number from 0 to 9007199254740991'],
    [{ type: 'Int64', min: -1e16 }, 'min', 'must be a whole number from -9007199254740991 to 9007199254740991'],
    [{ type: 'Date', min: 1 }, 'min', 'is for numbers; this is Date'],
    [{ type: 'Float64', min: 2, max: 1, default: '1' }, 'min', 'is above max, 1'],
    [{ type: 'UInt8', default: '256' }, 'default', 'is not a whole number from 0 to 255'],
    [{ type: 'UInt8', default: 5 }, 'default', 'must be text, as callers send it: "5"'],
    [
      { type: 'DateTime', default: 'now' },
      'default',
      'is not a time written 2026-01-01T12:00:00Z, from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z',
    ],
    [{ type: 'Float32', max: 1e300 }, 'max', 'must be a number from -3.4028234663852886e+38 to 3.4028234663852886e+38'],
    [{ type: 'Float32', min: -1e39, default: '1' }, 'min', 'must be a number from -3.4028234663852886e+38 to '],
    [
      { type: 'Date', default: '2149-06-07' },
      'default',
      'is not a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06',
    ],
    [{ type: 'Int8', max_length: 3 }, 'max_length', 'is for String; this is Int8'],
  ])('refuses %j: %s %s', (definition, field, message) => {
    const { error } = parameterSchema.safeParse({ name: 'it', ...definition })
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      [field, expect.stringContaining(message)],
    ])
  })
})

describe('PipeRegistry', () => {
  it('accepts the pipes that come along and lists them without their SQL', () => {
    const registry = new PipeRegistry(flightPipes)
    expect(registry.names).toEqual(['flights_per_day', 'delays_by_airport', 'busiest_routes', 'delay_quantiles'])
    expect(JSON.stringify(registry.list())).not.toMatch(/SELECT/i)
    expect(registry.list().at(-1)?.parameters).toEqual([
      {
        name: 'origin',
        type: 'String',
        description: 'Airport of departure (IATA code, such as ATL).',
        accepts: '1 to 64 characters',
        required: true,
      },
    ])
  })

  it.each([
    [
      'an undeclared placeholder',
      { sql: `${pipe.sql}, {more:String}` },
      'has {more:String}, but more is no parameter; add it to parameters',
    ],
    [
      'another type',
      { sql: pipe.sql.replace('{limit:UInt32}', '{limit:String}') },
      'has {limit:String}, but limit is declared as UInt32; write {limit:UInt32}, or declare',
    ],
    [
      'an unused parameter',
      { sql: pipe.sql.replace('{limit:UInt32}', '1') },
      'has a parameter "limit" that its SQL does not use',
    ],
    ['a name that is no name', { name: 'a/b' }, 'pipes.0.name is "a/b"; it must be 1 to 64 of a-z'],
  ])('refuses %s', (_, change, message) => {
    expect(() => new PipeRegistry([{ ...pipe, ...change }])).toThrow(message)
  })

  it('refuses two pipes of one name', () => {
    expect(() => new PipeRegistry([pipe, pipe])).toThrow('pipes.sample is there twice')
  })
})
