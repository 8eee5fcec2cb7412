import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { Spool } from '@sluice/ingest/spool'
import { describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../src/config-error.js'
import { Ending } from '../src/ending.js'
import { checkOptions, type GatewayOptions } from '../src/gateway-options.js'
import { openState } from '../src/open-state.js'
import { run, SECRET } from './running-gateway.js'

const tokens = [{ name: 'ann', token: SECRET }]
const plain = { name: 'a', description: '', sql: 'SELECT 1', parameters: {} }
const day = { type: 'Date', description: '', accepts: 'a day' }

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
    ...['maxBacklogBytes', 'maxBacklogAgeMs', 'fsyncIntervalMs', 'maxDataSources', 'maxPipes'],
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

  it('bounds what waits of all data sources, by the defaults of I5 and the spool', () => {
    const { maxBacklogBytes, maxBacklogAgeMs, fsyncIntervalMs } = checkOptions({ tokens })
    expect([maxBacklogBytes, maxBacklogAgeMs, fsyncIntervalMs]).toEqual([4_294_967_296, 172_800_000, 5])
    expect(refused({ maxBacklogBytes: 1000 })).toBe(
      'options: maxBacklogBytes is 1000; it must be a whole number from 1048576 to 9007199254740991',
    )
    expect(refused({ maxBacklogAgeMs: 59_999 })).toContain('must be a whole number from 60000 to 864000000000')
    expect(refused({ fsyncIntervalMs: 1001 })).toContain('must be a whole number from 0 to 1000')
    const { maxDataSources, maxPipes } = checkOptions({ tokens })
    expect([maxDataSources, maxPipes]).toEqual([1000, 1000])
  })

  it('has what was set reach the spool', async () => {
    const spoolDir = mkdtempSync(join(tmpdir(), 'sluice-options-'))
    const opened = vi.spyOn(Spool, 'open').mockRejectedValue(new Error('seen'))
    const state = await openState(checkOptions({ tokens, spoolDir, fsyncIntervalMs: 7 }), [], systemClock)
    await expect(state.ingest?.start()).rejects.toThrow('seen')
    expect(opened).toHaveBeenCalledWith(join(spoolDir, 'events'), expect.objectContaining({ groupMs: 7 }))
    opened.mockRestore()
    await state.close(0, new Ending(systemClock, { warn: () => undefined }))
    await state.unlock()
    rmSync(spoolDir, { recursive: true })
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
    [{ datasets: [{}] }, 'datasets.0.table is undefined; it must be a text such as flights'],
    [{ datasets: [{ table: 'a b' }] }, 'datasets.0.table is "a b"; it must be 1 to 64 of A-Z'],
    [
      { datasets: [{ table: 'a', createSql: 'CREATE TABLE a' }] },
      'datasets.0.load is undefined; it must be a function',
    ],
    [{ pipes: [{}] }, 'pipes.0.name is undefined; it must be a text such as flights_per_day'],
    [{ pipes: [{ name: 'A', sql: 'SELECT 1' }] }, 'pipes.0.name is "A"; it must be 1 to 64 of a-z'],
    [{ pipes: [{ name: 'a', description: '' }] }, 'pipes.0.sql is undefined; it must be a text such as "SELECT 1"'],
    [
      { pipes: [{ ...plain, parameters: { d: {} } }] },
      'pipes.0.parameters.d.type is undefined; it must be a text such',
    ],
    [{ pipes: [{ ...plain, parameters: { d: { ...day, schema: {} } } }] }, 'pipes.0.parameters.d.schema.safeParse is'],
    [{ pipes: [{ ...plain, pastlimit: true }] }, 'pipes.0.pastlimit is no option; there are name, description, sql,'],
    [{ logger: console.log }, 'logger is'],
    [{ logger: {} }, 'logger.info is undefined; it must be a function that takes a message'],
    [{ nowMs: 5 }, 'nowMs is 5; it must be a function that tells steady milliseconds'],
    [{ prot: 1 }, 'prot is no option; there are tokens, host, port,'],
    [
      { corsOrigins: ['https://a.b', 'https://A.B:443/x'] },
      'corsOrigins.1 is "https://A.B:443/x", which no browser sends',
    ],
    [
      { corsOrigins: ['foo'] },
      'corsOrigins.0 is "foo", which no browser sends; write an origin such as https://example',
    ],
    [{ corsOrigins: '*' }, 'corsOrigins is "*"; it must be a list of texts'],
    [{ routes: 5 }, 'routes is 5; it must be an object: { '],
    [{ routes: { '/demo': 'x' } }, 'routes./demo is no function; give it one that answers a Request'],
  ])('%j is refused', (options, message) => {
    expect(refused(options)).toContain(`options: ${message}`)
  })

  it('has origins as browsers send them', () => {
    const corsOrigins = [
      '*',
      'null',
      'https://a.b',
      'http://localhost:3000',
      'http://[::1]:8080',
      'capacitor://localhost',
    ]
    expect(checkOptions({ tokens, corsOrigins }).corsOrigins).toEqual(corsOrigins)
  })

  it.each<[object, string]>([
    [{ url: 'http://127.0.0.1:9' }, 'name is undefined; it must be 1 to 64 of A-Z'],
    [{ name: 'a' }, 'url is undefined; it must be the URL of a ClickHouse server'],
    [{ name: 'a', url: 'http://127.0.0.1:9', user: 5 }, 'user is no text'],
    [{ name: 'a', url: 'http://127.0.0.1:9', password: {} }, 'password is no text'],
    [{ name: 'a', url: 'http://127.0.0.1:9', replicated: { path: '/x' } }, 'replicated.replica is undefined'],
  ])('a node %j is refused by its name', (node, message) => {
    expect(refused({ nodes: [node] })).toContain(`.${message}`)
  })

  it('is there to be looked at', () => {
    expect(() => checkOptions(undefined as unknown as GatewayOptions)).toThrow(
      'options: (all of it) is undefined; it must be an object: { tokens: [{ name, token }] }',
    )
  })
})
