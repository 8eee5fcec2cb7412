import { readFileSync } from 'node:fs'
import {
  Bounds,
  DrainRate,
  Gatherer,
  KeyedBreaker,
  Notices,
  Quota,
  Router,
  SaturationClock,
  TemporalLimit,
} from '@sluice/ingest'
import { tables } from '@sluice/spec'
import { describe, expect, test } from 'vitest'

type Make = (options: object) => unknown
const MACHINES: [string, string, Make][] = [
  ['gatherer', 'Gatherer', (options) => new Gatherer(options)],
  ['keyed_breaker', 'KeyedBreaker', (options) => new KeyedBreaker(options)],
  ['saturation_clock', 'SaturationClock', (options) => new SaturationClock(options)],
  ['temporal_limit', 'TemporalLimit', (options) => new TemporalLimit(options)],
  ['quota', 'Quota', (options) => new Quota(options)],
  ['bounds', 'Bounds', (options) => new Bounds(options)],
  ['router', 'Router', (options) => new Router({ nodes: ['n1'], ...options })],
  ['notices', 'Notices', (options) => new Notices(options)],
]

describe.each(MACHINES)('I1–I7: %s', (machine, name, make) => {
  const { config } = JSON.parse(readFileSync(tables['ingest-scenarios'], 'utf8'))
  const fields = Object.keys(config[machine]).filter((field) => field !== 'random')
  const camel = (field: string): string => field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

  test.each(fields)('%s: what is no number in its range is refused by name', (field) => {
    for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5', null]) {
      const act = (): unknown => make({ [camel(field)]: value })
      expect(act).toThrow(TypeError)
      expect(act).toThrow(new RegExp(`^${name}: ${camel(field)} must be an? .*; got `))
    }
  })

  test('what there is not is refused, and undefined is not given', () => {
    expect(() => make({ holdsMs: 5 })).toThrow(`${name}: holdsMs must be left out: there is no such option; there are `)
    for (const field of fields) make({ [camel(field)]: undefined })
  })

  test('the defaults that its documentation states are the table’s', () => {
    const folder = { keyed_breaker: 'breaker/options', router: 'route/options', quota: 'quota/quota' }[machine]
    const file = folder ?? { gatherer: 'gather/gatherer', bounds: 'bounds/bounds', notices: 'notices/notices' }[machine]
    const path = `../src/${file ?? `limit/${machine.replace('_', '-')}`}.ts`
    const source = readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/(?<=\d)[ _](?=\d{3})/g, '')
    for (const field of fields) {
      const stated = new RegExp(`Default (\\d[\\d.]*\\d|\\d)\\b[^]*?\\*/\\n  ${camel(field)}\\?:`).exec(
        source.slice(source.lastIndexOf('/**', source.indexOf(`  ${camel(field)}?:`))),
      )
      expect(Number(stated?.[1]), field).toBe(config[machine][field])
      if (field === 'flush_interval_ms') continue
      expect(source).toMatch(new RegExp(` ${camel(field)}: \\[${config[machine][field]}, '`))
    }
  })
})

test('figures that are no numbers are refused by name', () => {
  const breaker = new KeyedBreaker()
  expect(() => breaker.flushed('a', -1)).toThrow('KeyedBreaker.flushed: tookMs must be a number of at least 0; got -1')
  expect(() => breaker.aged('a', Number.NaN)).toThrow('KeyedBreaker.aged: oldestMs must be')
  expect(() => breaker.parts('a', 1, 0)).toThrow(
    'KeyedBreaker.parts: partsToDelayInsert must be a number above 0; got 0',
  )
  expect(() => new DrainRate().add(-1)).toThrow('DrainRate.add: amount must be')
  expect(() => new TemporalLimit().admit(-1)).toThrow('TemporalLimit.admit: rows must be')
  expect(() => new Quota().take('t', 's', -1)).toThrow('Quota.take: cost must be')
  const gatherer = new Gatherer<string>()
  const events = [1, 0].map((bytes) => ({ partition: 'p', row: 'x', bytes }))
  expect(() => gatherer.add('a', events)).toThrow('Gatherer.add: bytes must be a number of at least 1; got 0')
  expect(gatherer.flush()).toEqual([])
  const saved = new KeyedBreaker()
  saved.flushed('a', 1)
  const [[key, one] = ['', undefined]] = saved.snapshot()
  if (!one) throw new Error('nothing was saved')
  expect(() => breaker.restore([[key, { ...one, meanMs: Number.NaN }]])).toThrow('KeyedBreaker.restore: meanMs must be')
  expect(() => breaker.restore([[key, { ...one, openForMs: -1 }]])).toThrow('KeyedBreaker.restore: openForMs must be')
  expect(() => new SaturationClock().restore({ valueMs: -1 })).toThrow('SaturationClock.restore: valueMs must be')
  const limit = { saturation: { valueMs: 0 }, rowsPerSecond: 0, healthyForMs: 0 }
  expect(() => new TemporalLimit().restore(limit)).toThrow(
    'TemporalLimit.restore: rowsPerSecond must be a number above 0',
  )
  const router = new Router({ nodes: ['n1'] })
  expect(() => router.report({ node: 'n1', isProbe: false }, { isWritten: true, tookMs: -1 })).toThrow('tookMs must be')
  expect(() => router.force('a', 'n2')).toThrow('Router.force: node must be one of n1; got "n2"')
  expect(() => new Router({ nodes: [] })).toThrow(
    'Router: nodes must be a list of at least one name, each given once; got []',
  )
})
