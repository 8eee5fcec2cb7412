import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AddressInUseError, ConfigError, type Pipe, startGateway } from '@sluice/gateway'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inFlight, isAlive, run, SECRET, until } from './running-gateway.js'

const sleeper: Pipe = {
  name: 'sleeper',
  description: 'For tests.',
  parameters: {},
  sql: 'SELECT sum(sleepEachRow(0.1)) AS slept FROM numbers(8) SETTINGS max_block_size = 1',
}

describe('the life of a gateway', () => {
  const before = process.env.TMPDIR
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-lifecycle-'))
    process.env.TMPDIR = folder
  })
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  })

  it('closing lets requests in flight finish, then leaves no process and no file', async () => {
    const gateway = await run({ pipes: [sleeper], datasets: [] })
    expect(readdirSync(folder)).toHaveLength(1)
    const pid = gateway.enginePid()
    const asked = gateway.get('/v1/pipes/sleeper')
    await until('it has come', async () => (await inFlight(gateway)) === 1)
    const closing = gateway.close()
    expect(gateway.close()).toBe(closing)
    const answer = await asked
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    await closing
    await expect(gateway.get('/v1/pipes')).rejects.toThrow()
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  it('closing drops what takes longer than its grace', async () => {
    const endless = {
      ...sleeper,
      sql: sleeper.sql.replace('numbers(8)', 'numbers(600)').concat(', function_sleep_max_microseconds_per_block = 0'),
    }
    const gateway = await run({ pipes: [endless], datasets: [], shutdownGraceMs: 200, readTimeoutMs: 60_000 })
    const asked = gateway.get('/v1/pipes/sleeper').catch(() => 'dropped')
    await until('it has come', async () => (await inFlight(gateway)) === 1)
    const startMs = performance.now()
    await gateway.close()
    expect(await asked).toBe('dropped')
    expect(performance.now() - startMs).toBeLessThan(20_000) // to its end it would be 60 s
    expect(isAlive(gateway.enginePid())).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  it('a port that is taken is told with its number, before an engine is started', async () => {
    const gateway = await run({ datasets: [] })
    const dataDir = join(folder, 'of-the-second') // made when an engine is started, and left there
    const second = startGateway({ port: gateway.port, tokens: [{ name: 'ann', token: SECRET }], dataDir })
    await expect(second).rejects.toBeInstanceOf(AddressInUseError)
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', port: gateway.port })
    expect(existsSync(dataDir)).toBe(false)
    await gateway.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('keeps a data directory that was named, and opens it again', async () => {
    const dataDir = join(folder, 'data')
    for (let round = 0; round < 2; round += 1) {
      const gateway = await run({ dataDir })
      await expect(run({ dataDir })).rejects.toThrow(`The engine cannot open ${dataDir}`) // one gateway a folder
      const { data } = await (await gateway.get('/v1/pipes/delays_by_airport?origin=ATL')).json()
      expect(data[0].flights).toBe('846')
      await gateway.close()
    }
    expect(readdirSync(dataDir)).not.toEqual([])
    writeFileSync(join(folder, 'file'), '')
    await expect(run({ dataDir: join(folder, 'file') })).rejects.toThrow(
      'file cannot be used (EEXIST: file already exists',
    )
  })

  it('refuses options that cannot work, naming the field', async () => {
    const tokens = [{ name: 'ann', token: SECRET }]
    await expect(startGateway({ tokens: [] })).rejects.toThrow(ConfigError)
    await expect(startGateway({ tokens, port: 70_000 })).rejects.toThrow('options: port is 70000; it must be')
    await expect(startGateway({ tokens, readTimeoutMs: 0 })).rejects.toThrow('options: readTimeoutMs is 0')
    await expect(startGateway({ tokens, sessions: 1.5 })).rejects.toThrow('options: sessions is 1.5')
    expect(readdirSync(folder)).toEqual([])
  })

  it('says what failed when a data set cannot be loaded, and leaves nothing behind', async () => {
    const dataset = { table: 't', createSql: 'CREATE TABLE t (a UInt8) ENGINE = Nonsense', load: async () => '{"a":1}' }
    await expect(run({ datasets: [dataset] })).rejects.toThrow(/Nonsense/)
    expect(readdirSync(folder)).toEqual([])
  })
})
