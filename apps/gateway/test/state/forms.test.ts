import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { BatchKeys } from '../../src/ingest/batch-keys.js'
import { Quarantine } from '../../src/ingest/quarantine.js'
import { NoticeBoard } from '../../src/notices/notice-board.js'
import { Slices } from '../../src/slices.js'
import { lockFolder } from '../../src/state/folder-lock.js'
import { fileNameOf } from '../../src/state/line-log.js'
import { run } from '../running-gateway.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-forms-'))
const folder = () => mkdtempSync(join(root, 'f-'))
afterAll(() => rmSync(root, { recursive: true }))
const slices = new Slices(() => systemClock.now())

const REMEDY = 'mend it, put a copy of the file there, or take it away'
const source = { tenant: 'acme', dataset: 'default', name: 'clicks', created_at_ms: 0 }
const definition = { columns: [{ name: 'id', type: 'UInt32' }] }
const pipe = { tenant: 'acme', dataset: 'default', name: 'views', definition: { sql: 'SELECT 1' } }
const SOURCE = `${fileNameOf('data-sources', 'acme/default/clicks')}.json`
const STATE = `${fileNameOf('pipeline', 'acme')}.json`
const PIPE = `${fileNameOf('pipes', 'acme/default/views')}.json`
const breaker = {
  ...{ flushes: 3, meanMs: 9, openForMs: null, reason: null, measure: 0, holds: 0, unanswered: [], heldForMs: 0 },
  ageAllowanceMs: 0,
}
const limit = { saturation: { valueMs: 0 }, rowsPerSecond: null, healthyForMs: 0 }
const key = 'acme/default/clicks'
const pipeline = { guard: { breaker: [[key, breaker]], limits: [[key, limit]] }, paused: [key], routes: [] }
const kept = { tenant: 'acme', pipeline, freshness: [[key, { newestMs: 1, writtenMs: null }]] }
const withPipeline = (change: object) => ({ ...kept, pipeline: { ...pipeline, ...change } })
const withBreaker = (change: object) =>
  withPipeline({ guard: { breaker: [[key, { ...breaker, ...change }]], limits: [] } })
const withLimit = (change: object) => withPipeline({ guard: { breaker: [], limits: [[key, { ...limit, ...change }]] } })

describe('a file of the gateway that was edited to another form ends the start with the file, the place and the remedy', () => {
  it.each<readonly [file: string, content: unknown, said: string]>([
    [SOURCE, null, '(the file) must be an object'],
    [SOURCE, [], '(the file) must be an object'],
    [SOURCE, { ...source }, 'definition is not there; it must be an object'],
    [SOURCE, { ...source, tenant: 'a/b', definition }, 'tenant must be 1 to 64 letters, digits'],
    [SOURCE, { ...source, name: '../x', definition }, 'name is not a name: a-z, 0-9 and _'],
    [SOURCE, { ...source, created_at_ms: 'now', definition }, 'created_at_ms must be a number'],
    [SOURCE, { ...source, created_at_ms: 1e18, definition }, 'created_at_ms must be at most 864'],
    [SOURCE, { ...source, definition, colour: 1 }, '(the file) has "colour", which is no member of it'],
    [SOURCE, { ...source, definition: { columns: [] } }, 'definition.columns is empty'],
    [PIPE, 'SELECT 1', '(the file) must be an object'],
    [PIPE, { ...pipe, dataset: 1 }, 'dataset must be a string'],
    [PIPE, { ...pipe, definition: { sql: '' } }, 'definition.sql is empty'],
    [STATE, null, '(the file) must be an object'],
    [STATE, [], '(the file) must be an object'],
    [STATE, {}, 'tenant must be a string'],
    [STATE, { ...kept, tenant: 'a/b' }, 'tenant must be 1 to 64 letters, digits'],
    [STATE, { tenant: 'acme' }, 'pipeline must be an object'],
    [STATE, { tenant: 'acme', pipeline }, 'freshness must be an array'],
    [STATE, { ...kept, freshness: [[key]] }, 'freshness.0'],
    [STATE, { ...kept, freshness: [[key, { newestMs: -1, writtenMs: null }]] }, 'freshness.0.1.newestMs must'],
    [STATE, withPipeline({ guard: undefined }), 'pipeline.guard must be an object'],
    [STATE, withPipeline({ paused: 'clicks' }), 'pipeline.paused must be an array'],
    [STATE, withPipeline({ paused: [5] }), 'pipeline.paused.0 must be a string'],
    [STATE, withPipeline({ routes: [key] }), 'pipeline.routes.0 must be a tuple'],
    [STATE, withPipeline({ routes: [[key, null]] }), 'pipeline.routes.0.1 must be a string'],
    [STATE, withBreaker({ holds: '1' }), 'pipeline.guard.breaker.0.1.holds must be a number'],
    [STATE, withBreaker({ openForMs: -1 }), 'pipeline.guard.breaker.0.1.openForMs must be at least 0'],
    [STATE, withBreaker({ reason: 'x' }), 'pipeline.guard.breaker.0.1.reason must be one of slow_flushes,'],
    [STATE, withBreaker({ more: 1 }), 'pipeline.guard.breaker.0.1 has "more", which is no member of it'],
    [STATE, withLimit({ saturation: null }), 'pipeline.guard.limits.0.1.saturation must be an object'],
    [STATE, withLimit({ rowsPerSecond: 0 }), 'pipeline.guard.limits.0.1.rowsPerSecond must be above 0'],
  ])('%s: %j', async (name, content, said) => {
    const spoolDir = folder()
    const file = join(spoolDir, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
    const error: unknown = await run({ spoolDir, datasets: [], pipes: [] }).catch((it: unknown) => it)
    const { message, ...others } = error as Error & { code: unknown; source: unknown } // looked at below
    expect(others).toMatchObject({ code: 'BAD_CONFIG', source: file })
    expect(message.startsWith(`${file}: ${said}`), message).toBe(true)
    expect(message.endsWith(`; ${REMEDY}`), message).toBe(true)
    expect(message.split('\n')).toHaveLength(1)
    expect(readdirSync(spoolDir)).not.toContain('lock')
  })

  it('takes each as it is written, and what names nothing that there is does no harm', async () => {
    const spoolDir = folder()
    mkdirSync(join(spoolDir, 'pipeline'))
    writeFileSync(join(spoolDir, STATE), JSON.stringify(kept))
    mkdirSync(join(spoolDir, 'pipes'))
    writeFileSync(join(spoolDir, PIPE), JSON.stringify(pipe))
    await (await run({ spoolDir, datasets: [], pipes: [] })).close()
    await (await run({ spoolDir, datasets: [], pipes: [] })).close() // over what that one wrote
  })
})

describe('a line of a log that was edited to another form is none, as one that a crash cut off', () => {
  const OTHERS = ['null', '5', '"x"', '[]', '{}', '{"number":1}', '{"atMs":"now"}', '{', '\u0000']

  it('notices', async () => {
    const path = folder()
    const notice = { number: 7, atMs: 0, level: 'info', kind: 'node-up', source: null, message: 'is up' }
    const wrong = [{ number: 1.5 }, { number: 1e300 }, { atMs: 1e300 }, { source: 5 }, { level: 'loud' }]
    const edited = wrong.map((it) => JSON.stringify({ ...notice, ...it }))
    writeFileSync(`${fileNameOf(path, '')}.ndjson`, [...OTHERS, JSON.stringify(notice), ...edited, ''].join('\n'))
    const board = await NoticeBoard.open(path, () => 0)
    expect([board.after(0, 'acme'), board.lastNumber]).toEqual([[notice], 7])
    await board.close()
  })

  it('rows in quarantine', async () => {
    const path = folder()
    const row = { id: 'q-0000000a', atMs: 0, row: 'x', errors: [{ parameter: 'row', message: 'is not JSON' }] }
    const wrong = [{ id: 'q-zz' }, { atMs: null }, { errors: [] }, { errors: [5] }, { row: {} }]
    const edited = wrong.map((it) => JSON.stringify({ ...row, ...it }))
    writeFileSync(`${fileNameOf(path, key)}.ndjson`, [...OTHERS, JSON.stringify(row), ...edited, ''].join('\n'))
    const quarantine = await Quarantine.open(path, () => 0, slices)
    expect(await quarantine.list(key)).toEqual([row])
    await quarantine.add(key, [{ row: 'y', errors: row.errors }])
    expect((await quarantine.list(key)).map(({ id }) => id)).toEqual(['q-0000000b', 'q-0000000a'])
    await quarantine.close()
  })

  it('keys of batches', async () => {
    const path = folder()
    const batch = { source: key, key: 'k', bodyHash: 'h', atMs: 0, accepted: 3, quarantined: 1 }
    const wrong = [{ atMs: 'now' }, { accepted: -1 }, { bodyHash: null }, { source: 1 }]
    const edited = wrong.map((it) => JSON.stringify({ ...batch, key: 'other', ...it }))
    writeFileSync(`${fileNameOf(path, 'acme')}.ndjson`, [...OTHERS, JSON.stringify(batch), ...edited, ''].join('\n'))
    const keys = await BatchKeys.open(path, () => 0, slices)
    expect([await keys.find(key, 'k'), await keys.find(key, 'other')]).toEqual([batch, undefined])
    await keys.close()
  })

  it('and a lock, which then is nobody’s', async () => {
    const path = folder()
    for (const text of OTHERS) {
      writeFileSync(join(path, 'lock'), text)
      await (await lockFolder(path, { clock: systemClock, onLost: () => undefined }))()
    }
    expect(readdirSync(path)).toEqual([])
  })
})
