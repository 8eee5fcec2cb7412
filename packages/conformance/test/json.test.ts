import { expect, it } from 'vitest'
import { parseTable, TableError } from '../src/index.js'

const problemOf = (text: string): string => {
  try {
    parseTable(text, 'bad.json')
  } catch (error) {
    if (error instanceof TableError) return error.message
    throw error
  }
  throw new Error('the table was taken')
}

it.each([
  ['', 'line 1, column 1: expected a value, found the end of the file'],
  ['{"a": 1,}', 'line 1, column 9: expected a name, found "}"'],
  ['{"a":\n  tru}', 'line 2, column 3: expected a value, found "tru}"'],
  ['{"a":\n 1', 'line 2, column 3: expected , or }, found the end of the file'],
  ['{a: 1}', 'line 1, column 2: expected a name or }, found "a:"'],
  ['{"a" 1}', 'line 1, column 6: expected :, found "1}"'],
  ['[1 2]', 'line 1, column 4: expected , or ], found "2]"'],
  ['[1,]', 'line 1, column 4: expected a value, found "]"'],
  ['[1}', 'line 1, column 3: expected , or ], found "}"'],
  ['["a\nb"]', 'line 1, column 2: expected a value or ], found ""a"'],
  ['["\\x"]', 'line 1, column 2: expected a value or ], found ""\\x"]"'],
  ['[01]', 'line 1, column 3: expected , or ], found "1]"'],
  ['{} {}', 'line 1, column 4: expected the end, found "{}"'],
])('%j is told with its place', (text, message) => {
  expect(problemOf(text)).toBe(`bad.json: invalid JSON at ${message}`)
})

it('what is JSON and no table is told', () => {
  expect(problemOf('[1]')).toBe('bad.json: table is [1]; allowed: an object')
  expect(problemOf('{"suite": "retry"}')).toBe(
    'bad.json: suite is "retry"; did you mean retry-cases? allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios',
  )
  expect(problemOf('{"cases": []}')).toBe(
    'bad.json: suite is missing; allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios, or none beside a top-level policy and cases',
  )
})
