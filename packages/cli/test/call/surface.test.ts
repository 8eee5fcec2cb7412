import { describe, expect, test } from 'vitest'
import * as cli from '../../src/index.js'
import { surfaceCases } from '../surface-cases.js'
import { type CommandOf, checkRow } from '../surface-cli.js'
import { ITEMS } from './call.js'

/** A row's call by items.yaml, whose two operations are the two methods of the rows. */
const commandOf: CommandOf = ({ policy, request: { method, url, headers, body, idempotent } }) => [
  ...['call', method === 'GET' ? 'items' : 'createItem', '--openapi', ITEMS, '--base-url', new URL(url).origin],
  ...['--policy', JSON.stringify(policy), '--format', 'raw'],
  ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ...(idempotent ? ['--idempotent'] : []),
  ...{ none: [], replayable: ['--body', 'body'], stream: ['--body', '-'] }[body],
]

// A command takes no limiter: the words of those ends are compared where they are made, in ends.test.ts.
const rows = surfaceCases.filter(({ call, expect: { cli: wanted } }) => call && !call.limiter && wanted)

// The report of the tables is that of `sluice request`: these are the same rows by another way in.
describe('S1: every row, through sluice call', () => {
  test('there are rows, and of two methods only', () => {
    expect(rows.length).toBeGreaterThan(15)
    expect(new Set(rows.map(({ call }) => call?.request?.method ?? 'GET'))).toEqual(new Set(['GET', 'POST']))
  })

  for (const row of rows) test(`${row.id}: ${row.name}`, () => checkRow(cli, row, commandOf))
})
