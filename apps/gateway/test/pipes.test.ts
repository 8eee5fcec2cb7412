import { describe, expect, it } from 'vitest'
import { describeFaults } from '../src/field-fault.js'
import { checkParameters } from '../src/pipes/check-parameters.js'
import { flightPipes } from '../src/pipes/flights/flight-pipes.js'
import { flightsPerDay } from '../src/pipes/flights/flights-per-day.js'
import { dateParameter, integerParameter, textParameter } from '../src/pipes/parameter.js'
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

const check = (query: string, of: Pipe = pipe) => checkParameters(of, new URLSearchParams(query))

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
    ['word=a&day=2001-02-30', 'day "2001-02-30" is not a date written YYYY-MM-DD.'],
    ['word=a&day=01/02/2001', 'day "01/02/2001" is not a date written YYYY-MM-DD.'],
    ['word=a&word=b', 'word "a" is there 2 times; send it once.'],
    ['word=a&wrod=b', 'wrod is not a parameter of sample, which takes day, word, limit.'],
    ['word=a&constructor=b', 'constructor is not a parameter of sample, which takes day, word, limit.'],
  ])('refuses "%s" and names field, value and remedy', (query, message) => {
    expect(messageOf(query)).toBe(message)
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
      'placeholder {more:String}, but its parameter is not there',
    ],
    ['another type', { sql: pipe.sql.replace('{limit:UInt32}', '{limit:String}') }, 'but its parameter is UInt32'],
    [
      'an unused parameter',
      { sql: pipe.sql.replace('{limit:UInt32}', '1') },
      'has a parameter "limit" that its SQL does not use',
    ],
    ['a name that is no name', { name: 'a/b' }, 'pipes.a/b is not a name'],
  ])('refuses %s', (_, change, message) => {
    expect(() => new PipeRegistry([{ ...pipe, ...change }])).toThrow(message)
  })

  it('refuses two pipes of one name', () => {
    expect(() => new PipeRegistry([pipe, pipe])).toThrow('pipes.sample is there twice')
  })
})
