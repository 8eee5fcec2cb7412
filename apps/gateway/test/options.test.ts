import { describe, expect, it } from 'vitest'
import { ConfigError } from '../src/config-error.js'
import { checkOptions, type GatewayOptions } from '../src/gateway-options.js'
import { run, SECRET } from './running-gateway.js'

const tokens = [{ name: 'ann', token: SECRET }]

/** What is said of options as JavaScript may give them. */
function refused(options: object): string {
  try {
    checkOptions({ tokens, ...options } as GatewayOptions)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing'
}

describe('the option breaker', () => {
  const breaker = { slowFlushes: 2, holdMs: 5000, holdJitter: 0 }

  it('is taken as it is given, and where it is not, those of the rule hold', () => {
    expect(checkOptions({ tokens, breaker }).breaker).toEqual(breaker)
    expect(checkOptions({ tokens }).breaker).toEqual({})
  })

  it.each<[object, string]>([
    [{ holdMs: 0 }, 'holdMs must be a number above 0; got 0'],
    [{ holdMs: '5s' }, 'holdMs must be a number above 0; got "5s"'],
    [{ holdJitter: 1.5 }, 'holdJitter must be a number from 0 to 1; got 1.5'],
    [{ slowFlushes: 2.5 }, 'slowFlushes must be an integer of at least 1; got 2.5'],
    [{ oldIntervals: Number.NaN }, 'oldIntervals must be a number above 0; got NaN'],
    [{ maxKeys: null }, 'maxKeys must be an integer of at least 1; got null'],
    [{ holdMS: 5 }, 'holdMS must be left out: there is no such option; there are slowFlushes, slowRatio'],
    [{ flushIntervalMs: 5 }, 'flushIntervalMs must be left out: it is that of the plan of each data source'],
    [{ clock: undefined }, 'clock must be left out: the gateway has its own'],
    [{ random: Math.random }, 'random must be left out: the gateway has its own'],
  ])('with %o is refused, naming the field, its value and what it may be', (given, message) => {
    expect(refused({ breaker: given })).toContain(`options: breaker.${message}`)
  })

  it.each([null, 5, 'fast', [1], true])('refuses %j in the place of all of them', (given) => {
    const message = `options: breaker is ${JSON.stringify(given)}; it must be an object: { holdMs: 60000 }`
    expect(refused({ breaker: given })).toBe(message)
  })

  it('is looked at before anything is started, with a spool or without', async () => {
    const started = run({ breaker: { holdMs: -1 }, record: '/no/such/folder/trace' })
    await expect(started).rejects.toMatchObject({ code: 'BAD_CONFIG', source: 'options', field: 'breaker.holdMs' })
  })
})

describe('every option', () => {
  const NUMBERS = [
    ...['port', 'embedded', 'writeTimeoutMs', 'readTimeoutMs', 'sessions', 'maxWaiting'],
    ...['maxStreamsPerToken', 'maxStreams', 'shutdownGraceMs'],
  ]
  const shownAs: [unknown, string][] = [
    ...(
      [
        [-1, '-1'],
        [1.5, '1.5'],
        [Number.NaN, 'NaN'],
      ] as const
    ).map((it): [unknown, string] => [...it]),
    ...([
      ['8', '"8"'],
      [[8], '[8]'],
      [{ of: SECRET }, 'an object'],
      [true, 'true'],
    ] as [unknown, string][]),
  ]
  it.each(NUMBERS)('%s is a whole number, and nothing that looks like one', (field) => {
    for (const [given, shown] of shownAs)
      expect(refused({ [field]: given })).toMatch(
        new RegExp(
          `^options: ${field} is ${shown.replace(/[[\].]/g, '\\$&')}; it must be a whole number from \\d+ to \\d+$`,
        ),
      )
  })

  it.each<[object, string]>([
    [{ host: '' }, 'host is ""; it must be a text such as 127.0.0.1'],
    [{ spoolDir: 5 }, 'spoolDir is 5; it must be a text such as /var/lib/sluice'],
    [{ dataDir: '' }, 'dataDir is ""; it must be a text such as /var/lib/sluice/engines'],
    [{ record: true }, 'record is true; it must be a text such as trace.ndjson'],
    [{ consoleDir: ['x'] }, 'consoleDir is ["x"]; it must be a text such as apps/console/dist'],
    [{ isolation: 'off' }, 'isolation is "off"; it must be true or false'],
    [{ nodes: 'http://127.0.0.1:8123' }, 'nodes is "http://127.0.0.1:8123"; it must be a list of objects'],
    [{ nodes: [null] }, 'nodes is [null]; it must be a list of objects'],
    [{ pipes: {} }, 'pipes is an object; it must be a list of objects'],
    [{ datasets: ['flights'] }, 'datasets is ["flights"]; it must be a list of objects'],
    [{ corsOrigins: '*' }, 'corsOrigins is "*"; it must be a list of texts'],
    [{ routes: 5 }, 'routes is 5; it must be an object: { '],
    [{ routes: { '/demo': 'x' } }, 'routes./demo is no function; give it one that answers a Request'],
  ])('%j is refused', (options, message) => {
    expect(refused(options)).toContain(`options: ${message}`)
  })

  it.each<[object, string]>([
    [{ url: 'http://127.0.0.1:9' }, 'name must be A-Z, a-z, 0-9'],
    [{ name: 'a' }, 'url must be the URL of a ClickHouse server'],
    [{ name: 'a', url: 'http://127.0.0.1:9', user: 5 }, 'user is no text'],
    [{ name: 'a', url: 'http://127.0.0.1:9', password: {} }, 'password is no text'],
    [{ name: 'a', url: 'http://127.0.0.1:9', replicated: { path: '/x' } }, 'replicated.replica is "undefined"'],
  ])('a node %j is refused by its name', (node, message) => {
    expect(refused({ nodes: [node] })).toContain(`.${message}`)
  })

  it('is there to be looked at', () => {
    expect(() => checkOptions(undefined as unknown as GatewayOptions)).toThrow(
      'options: (all of it) is undefined; it must be an object: { tokens: [{ name, token }] }',
    )
  })
})
