import type { DataSource, DataSourceStatus, NodeStatus } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { inCell } from '../src/panels/in-cell.js'
import { bytes, duration, elapsed, grouped } from '../src/sources/amounts.js'
import { conditionOf } from '../src/sources/in-words.js'
import { lineWords } from '../src/sources/line-words.js'
import { actsOn, otherNodes, pausedInWords } from '../src/sources/owner-acts.js'
import { type Order, rowsOf, sorted } from '../src/sources/sort-sources.js'
import { wellLimit } from './statuses.js'

const status = (name: string, state: DataSourceStatus['state'] = 'flowing'): DataSourceStatus => {
  return { name, dataset: 'default', state, state_since: '2026-01-01T12:00:00.000Z' }
}
const details = (name: string, lag_s: number | null, rows = 0, paused = false): DataSource => ({
  ...{
    name,
    dataset: 'default',
    description: '',
    columns: [],
    order_by: ['n'],
    plan: {},
    node: 'clickhouse-1',
    route: null,
  },
  ...{ state: 'flowing', state_since: '2026-01-01T12:00:00.000Z', limited_until: null, quarantined_rows: 0 },
  freshness: { newest_event_at: null, written_at: null, lag_s },
  backlog: { paused, rows, bytes: 10 * rows, oldest_at: null, blocks_under_way: 0, unknown_blocks: 0 },
})

test('amounts are written to be read at a glance', () => {
  expect([0, 40, 12_300, 119_000, 120_000, 7_200_000, 172_800_000, -5].map(duration)).toEqual([
    ...['0 s', '0.0 s', '12 s', '119 s', '2 min', '2 h', '2 days', '0 s'],
  ])
  expect([900, 3400, 61_000].map(elapsed)).toEqual(['0 s', '3 s', '61 s'])
  expect([0, 999, 1000, 3_140_000, 250_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.0 kB', '3.1 MB', '250 MB'])
  expect([7, 1234, 1_234_567].map(grouped)).toEqual(['7', '1\u202f234', '1\u202f234\u202f567'])
})

describe('the table', () => {
  const rows = rowsOf(
    [status('a'), status('b', 'delayed'), status('c', 'limited'), status('d'), status('e')],
    new Map([details('a', 0.2, 5), details('b', 30, 900), details('d', 0, 7, true)].map((it) => [it.name, it])),
  )
  const order = (by: Order): string =>
    sorted(rows, by)
      .map((it) => it.status.name)
      .join('')

  test('has the worst first, and what is not known last', () => {
    expect(['trouble', 'name', 'behind', 'backlog'].map((by) => order(by as Order))).toEqual([
      ...['cbdae', 'abcde', 'badce', 'bdace'],
    ])
  })

  test('calls paused what flows only because nothing is written', () => {
    expect(rows.map(({ condition }) => condition)).toEqual(['flowing', 'delayed', 'limited', 'paused', 'flowing'])
    expect(conditionOf(status('x', 'limited'), details('x', 1, 1, true))).toBe('limited')
  })
})

describe('a line', () => {
  const nowMs = Date.parse('2026-01-01T12:00:30.500Z')
  const words = (its?: DataSource) =>
    lineWords({ status: status('a'), condition: 'flowing', details: its }, nowMs, (second) => `${second % 3600} s`)

  test('says what is known, by the clock that it is given', () => {
    const { backlog } = details('a', 1.5, 1)
    const its = { ...details('a', 1.5), backlog: { ...backlog, oldest_at: '2026-01-01T12:00:28.000Z' } }
    expect(words({ ...its, limited_until: '2026-01-01T12:01:00.000Z' })).toMatchObject({
      ...{ since: '2026-01-01T12:00:00.000Z', sinceTime: '0 s', lasted: '30 s', behind: '1.5 s', oldest: '2 s' },
      ...{ backlog: '1 row, 10 B', limit: 'until 60 s', node: 'clickhouse-1' },
    })
    expect(words()).toMatchObject({ lasted: '30 s', behind: '…', backlog: '…', oldest: '…', limit: '…', node: '…' })
  })

  test.each([
    [0, 0, 'none'],
    [1, 0, '1 row, 10 B'],
    [1200, 2, '1\u202f200 rows, 12.0 kB, 2 unknown'],
  ])('%i rows and %i unknown blocks are %j', (rows, unknown_blocks, expected) => {
    const its = details('a', 0, rows)
    expect(words({ ...its, backlog: { ...its.backlog, unknown_blocks } }).backlog).toBe(expected)
  })
})

test.each([
  [{ a: 1 }, '{"a":1}'], // a Map, a named Tuple
  [[1, 'x'], '[1,"x"]'],
  [[], '[]'],
  [null, 'null'],
  ['a "b"', 'a "b"'],
  [0.5, '0.5'],
  [true, 'true'],
])('%j is in a cell %s', (value, expected) => expect(inCell(value)).toBe(expected))

describe('an owner', () => {
  test('is offered what changes something', () => {
    const labels = (it: DataSource, condition: Parameters<typeof actsOn>[1]) =>
      actsOn(it, condition).map(({ label }) => label)
    expect(labels(details('a', 0), 'flowing')).toEqual(['Pause writing'])
    expect(labels(details('a', 0, 1, true), 'paused')).toEqual(['Resume writing'])
    expect(labels(details('a', 0), 'limited')).toEqual(['Lift the limit', 'Pause writing'])
    const limited = { ...details('a', 0), limited_until: '2026-01-01T12:00:00Z' }
    expect(labels(limited, 'flowing')).toEqual(['Lift the limit', 'Pause writing'])
  })

  test('is told what may be written yet of what is paused', () => {
    const words = (blocks_under_way: number, unknown_blocks: number) =>
      pausedInWords('clicks', { ...details('clicks', 0, 5, true).backlog, blocks_under_way, unknown_blocks })
    expect(words(0, 0)).toBe('clicks is paused: nothing of it is written until it is resumed.')
    expect(words(1, 0)).toBe(
      'clicks is paused. What 1 block that was under way may be written yet; nothing else is until it is resumed.',
    )
    expect(words(1, 2)).toContain('What 3 blocks that were under way may be written yet')
  })

  test('is offered the other nodes', () => {
    const nodes = ['clickhouse-1', 'clickhouse-2'].map((name): NodeStatus => ({ name, state: 'up', limit: wellLimit }))
    expect(otherNodes(details('a', 0), nodes).map(({ name }) => name)).toEqual(['clickhouse-2'])
  })
})
