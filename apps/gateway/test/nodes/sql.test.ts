import { describe, expect, it } from 'vitest'
import { inlineParameters } from '../../src/nodes/server/inline-parameters.js'
import { databaseOf, prefixesOf, tableOf } from '../../src/nodes/sql/table-name.js'

describe('names of tables', () => {
  it.each([
    ['acme/default', 's_acme__default'],
    ['acme/Web', 's_acme___57eb'],
    ['a_b/c', 's_a_5fb__c'],
    ['a.b/c-d', 's_a_2eb__c_2dd'],
    ['../..', 's__2e_2e___2e_2e'],
    ['system/system', 's_system__system'],
  ])('puts %s into %s', (namespace, database) => {
    expect(databaseOf(namespace)).toBe(database)
    expect(tableOf(`${namespace}/clicks`)).toEqual({ database, table: 'clicks' })
  })

  it('gives no two namespaces one database, and none too long a name for a folder', () => {
    const names = [
      'a',
      'A',
      '_',
      '-',
      '.',
      '_5f',
      'a_',
      'a__b',
      'b',
      '5f',
      'a'.repeat(64),
      'A'.repeat(64),
      '_'.repeat(64),
    ]
    const namespaces = names.flatMap((tenant) => names.map((dataset) => `${tenant}/${dataset}`))
    const databases = namespaces.map(databaseOf)
    expect(new Set(databases).size).toBe(namespaces.length)
    expect(databases.filter((it) => !/^s_[a-z0-9_]{1,158}$/.test(it))).toEqual([])
    // By how it begins each is known as its tenant's, and as nobody else's: an embedded engine has its roles by that.
    const tenants = [...names, 'h', `h${'0'.repeat(63)}`]
    for (const [i, namespace] of namespaces.entries()) {
      const own = tenants.filter((it) => prefixesOf(it).some((prefix) => databases[i]?.startsWith(prefix)))
      expect(own).toEqual([namespace.split('/')[0]])
    }
  })

  it.each(['acme', 'acme/', '/web', 'acme/web/more', 'a`b/web', 'a b/web', `${'a'.repeat(65)}/web`])(
    'takes no namespace like %j',
    (namespace) => {
      expect(() => databaseOf(namespace)).toThrow(TypeError)
    },
  )

  it.each(['acme/web', 'acme/web/Clicks', 'acme/web/_block', 'acme/web/a`b', 'acme/web/', 'acme/web/a/b'])(
    'takes no data source like %j',
    (source) => {
      expect(() => tableOf(source)).toThrow(TypeError)
    },
  )
})

describe('parameters of old servers', () => {
  it.each([
    ['SELECT {a:String}', { a: "'" }, String.raw`SELECT CAST('\x27' AS String)`],
    ['SELECT 1 LIMIT { n : UInt32 }', { n: '7' }, 'SELECT 1 LIMIT 7'],
    ['SELECT 1 -{n:Int64}', { n: '-7' }, String.raw`SELECT 1 -CAST('\x2d\x37' AS Int64)`],
    ['SELECT bitNot({n:UInt8})', { n: '7' }, String.raw`SELECT bitNot(CAST('\x37' AS UInt8))`],
    // Where old servers take nothing but a literal.
    ['LIMIT {n:UInt8}, {n:UInt8} BY {n:UInt8}', { n: '7' }, String.raw`LIMIT 7, 7 BY CAST('\x37' AS UInt8)`],
    [
      'limit 1, /* 2 */ {n:UInt8} offset -{n:UInt8}',
      { n: '7' },
      String.raw`limit 1, /* 2 */ 7 offset -CAST('\x37' AS UInt8)`,
    ],
    ['SAMPLE 1 / {n:UInt8} OFFSET {n:UInt8}', { n: '7' }, 'SAMPLE 1 / 7 OFFSET 7'],
    ['SELECT TOP {n:UInt8} a, {n:UInt8}', { n: '7' }, String.raw`SELECT TOP 7 a, CAST('\x37' AS UInt8)`],
    [
      'quantiles(0.5, {q:Float64}) (f({q:Float64}))',
      { q: '-1e-7' },
      String.raw`quantiles(0.5,  -1e-7) (f(CAST('\x2d\x31\x65\x2d\x37' AS Float64)))`,
    ],
    ['sequenceMatch({p:String})(t)', { p: "'" }, String.raw`sequenceMatch('\x27')(t)`],
    ['f({q:Float64})(x)', { q: '1) OR (1' }, String.raw`f('\x31\x29\x20\x4f\x52\x20\x28\x31')(x)`],
    ['WHERE d = {d:Date}', { d: '2149-06-06' }, 'WHERE d = toDate(65535)'],
    [
      'WHERE d = {d:Date}',
      { d: '2149-06-07' },
      String.raw`WHERE d = CAST('\x32\x31\x34\x39\x2d\x30\x36\x2d\x30\x37' AS Date)`,
    ],
    ['SELECT {t:DateTime}', { t: '09' }, String.raw`SELECT CAST('\x30\x39' AS DateTime)`],
    ['WHERE d >= {d:Date}', { d: '20' }, String.raw`WHERE d >= CAST('\x32\x30' AS Date)`],
    [
      "SELECT '{a:String}', 'it''s {a:String}', '\\'{a:String}'",
      {},
      "SELECT '{a:String}', 'it''s {a:String}', '\\'{a:String}'",
    ],
    ['SELECT 1 -- {a:String}\n/* {a:String} */', {}, 'SELECT 1 -- {a:String}\n/* {a:String} */'],
    ['SELECT `{a:String}`, "{a:String}"', {}, 'SELECT `{a:String}`, "{a:String}"'],
  ])('writes %j as literals', (sql, params, expected) => {
    expect(inlineParameters(sql, params as Record<string, string>)).toBe(expected)
  })

  it.each(['', '1 OR 1', '1;', '0x10', '1e3', '٣'])('takes %j for no whole number', (n) => {
    expect(() => inlineParameters('SELECT {n:UInt8}', { n })).toThrow('parameter "n" is no whole number')
  })

  it('takes hundreds of thousands of brackets and braces apart at once', () => {
    const [open, spaces] = ['('.repeat(100_000), `{a:${' '.repeat(100_000)}`]
    const sinceMs = performance.now()
    for (const sql of [open, `${open}${')'.repeat(100_000)}`, spaces, '{a:b '.repeat(20_000)])
      expect(inlineParameters(sql, {})).toBe(sql)
    expect(performance.now() - sinceMs).toBeLessThan(2000)
  })

  it('takes no name that only every object has', () => {
    expect(() => inlineParameters('SELECT {constructor:String}', {})).toThrow('parameter "constructor" has no value')
  })
})
