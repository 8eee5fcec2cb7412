import { EmbeddedNode, type QueryNode, ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startClickHouse, type TestClickHouse } from './servers.js'

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One engine takes parameters; the other has them written into its SQL as literals. */
describe('a query has the same answer from an embedded engine and from a server of 18.16', () => {
  let server: TestClickHouse
  let current: EmbeddedNode
  let old: ServerNode
  beforeAll(async () => {
    server = await startClickHouse()
    const { url, user, password } = server
    old = new ServerNode({ name: 'old', url, user, password, logger })
    current = new EmbeddedNode({ sessions: 1, maxWaiting: 8, tenants: ['acme'], datasets: [], logger })
    await Promise.all([old.start(), current.start()])
  })
  afterAll(async () => {
    await Promise.all([old?.close(), current?.close()])
    await server?.close()
  })

  const rows = async (node: QueryNode, sql: string, value: string) => {
    const { body } = await node.query({ sql, params: { x: value }, timeoutMs: 10_000 }).answer
    return JSON.parse(body).data
  }
  const numbers = '(SELECT number FROM system.numbers LIMIT 9)'

  it.each<[type: string, value: string, expression: string, is: unknown]>([
    ['UInt8', '5', 'bitNot({x:T})', 250],
    ['UInt16', '5', 'bitNot({x:T})', 65_530],
    ['UInt32', '5', 'bitNot({x:T})', 4_294_967_290],
    ['UInt64', '5', 'toString(bitNot({x:T}))', '18446744073709551610'],
    ['Int8', '5', 'bitNot({x:T})', -6],
    ['Int64', '-5', 'toString(bitNot({x:T}))', '4'],
    ['Int64', '-9223372036854775808', 'toString({x:T})', '-9223372036854775808'],
    ['UInt64', '18446744073709551615', 'toString({x:T})', '18446744073709551615'],
    ['UInt32', '1', 'toTypeName({x:T})', 'UInt32'],
    ['Int16', '1', 'toTypeName({x:T})', 'Int16'],
    ['UInt8', '255', 'toUInt8({x:T} * 2)', 254],
    ['UInt8', '200', 'bitShiftLeft({x:T}, 1)', 144],
    ['UInt64', '200', 'toString(bitShiftLeft({x:T}, 1))', '400'],
    ['UInt32', '1', 'toTypeName([{x:T}, 2])', 'Array(UInt32)'],
    ['UInt32', '1', 'toTypeName({x:T} - 1)', 'Int64'],
    ['Int8', '-7', '1 -{x:T}', 8],
    ['Int8', '-7', '-{x:T}', 7],
    ['UInt8', '2', "['a', 'b'][{x:T}]", 'b'],
    ['UInt8', '2', "tupleElement(('a', 'b'), {x:T})", 'b'],
    ['UInt64', '2', '2 IN (1, {x:T})', 1],
    ['UInt8', '2', 'toString(toDate({d}) + INTERVAL {x:T} DAY)', '2026-01-03'],
    ['UInt8', '1', 'round(1.27, {x:T})', 1.3],
    ['UInt8', '3', 'CASE 3 WHEN {x:T} THEN 1 ELSE 2 END', 1],
    ['Float32', '0.1', 'toTypeName({x:T})', 'Float32'],
    ['Float64', '0.1', '{x:T} * 3', 0.300_000_000_000_000_04],
    ['Float64', '1.7976931348623157e+308', '{x:T}', 1.797_693_134_862_315_7e308],
    ['Float32', '3.4028234663852886e+38', 'toFloat64({x:T})', 3.402_823_466_385_288_6e38],
    ['Date', '1970-01-01', 'toUInt32({x:T})', 0],
    ['Date', '2105-12-31', 'toString({x:T})', '2105-12-31'],
    ['Date', '2149-06-06', 'toUInt32({x:T})', 65_535],
    ['Date', '2149-06-06', '{x:T} > toDate({d})', 1],
    ['Date', '2026-01-01', '{x:T} = toDate({d})', 1],
    ['DateTime', '0000000000', 'toUInt32({x:T})', 0],
    ['DateTime', '4294967295', 'toUInt32({x:T})', 4_294_967_295],
    ['String', "it's \\ {x:T} 😀", 'concat({x:T}, {x:T})', "it's \\ {x:T} 😀it's \\ {x:T} 😀"],
  ])('%s %s in %s', async (type, value, expression, is) => {
    const sql = `SELECT ${expression.replaceAll('{d}', "'2026-01-01'").replaceAll(':T}', `:${type}}`)} AS it`
    expect([await rows(current, sql, value), await rows(old, sql, value)]).toEqual([[{ it: is }], [{ it: is }]])
  })

  it.each<[type: string, value: string, sql: string, is: unknown]>([
    ['UInt8', '2', `SELECT toUInt8(number) AS it FROM ${numbers} LIMIT {x:T}`, [0, 1]],
    ['UInt64', '2', `SELECT toUInt8(number) AS it FROM ${numbers} LIMIT {x:T}, {x:T}`, [2, 3]],
    ['UInt64', '2', `SELECT toUInt8(number) AS it FROM ${numbers} LIMIT 1 OFFSET {x:T}`, [2]],
    ['Int8', '1', `SELECT toUInt8(number) AS it FROM ${numbers} LIMIT {x:T} BY number % 2`, [0, 1]],
    ['UInt32', '1', `SELECT toUInt8(number) AS it FROM ${numbers} ORDER BY number DESC LIMIT 1, {x:T}`, [7]],
    ['UInt8', '3', `SELECT toUInt8(length(groupArray({x:T})(number))) AS it FROM ${numbers}`, [3]],
    ['Float64', '0.25', `SELECT quantileExact({x:T})(number) = 2 AS it FROM ${numbers}`, [1]],
    ['Float64', '1', `SELECT quantilesExact(0.5, {x:T})(number)[2] = 8 AS it FROM ${numbers}`, [1]],
    ['UInt8', '1', `SELECT toUInt8(count()) AS it FROM ${numbers} WHERE number IN (SELECT toUInt64({x:T}))`, [1]],
    [
      'String',
      '(?1)(?2)',
      `SELECT sequenceMatch({x:T})(toDateTime(number), number = 1, number = 2) AS it FROM ${numbers}`,
      [1],
    ],
  ])('%s %s in %s', async (type, value, sql, is) => {
    const asked = sql.replaceAll(':T}', `:${type}}`)
    for (const node of [current, old]) {
      const data: { it: unknown }[] = await rows(node, asked, value)
      expect(data.map(({ it }) => it)).toEqual(is)
    }
  })
})
