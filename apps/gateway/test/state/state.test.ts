import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BatchKeys } from '../../src/ingest/batch-keys.js'
import { Quarantine } from '../../src/ingest/quarantine.js'
import { NoticeBoard } from '../../src/notices/notice-board.js'
import { NoticeFeed } from '../../src/notices/notice-feed.js'
import { Slices } from '../../src/slices.js'
import { JsonFile } from '../../src/state/json-file.js'
import { LineLog } from '../../src/state/line-log.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-kept-'))
const folder = () => mkdtempSync(join(root, 'f-'))
afterAll(() => rmSync(root, { recursive: true }))
const slices = new Slices(() => systemClock.now())
const DAY_MS = 86_400_000

describe('JsonFile', () => {
  it('has what was written last, whole, and leaves nothing beside it', async () => {
    const path = folder()
    const file = new JsonFile(join(path, 'a.json'))
    const form = z.object({ n: z.number() })
    expect(await file.read(form)).toBe(undefined)
    await Promise.all([file.write({ n: 1 }), file.write({ n: 2 }), file.write({ n: 3 })])
    expect([await new JsonFile(join(path, 'a.json')).read(form), readdirSync(path)]).toEqual([{ n: 3 }, ['a.json']])
  })

  it('goes on after a write that failed', async () => {
    const file = new JsonFile(join(folder(), 'sub', 'a.json'))
    await expect(file.write(1)).rejects.toThrow('ENOENT')
    await expect(file.write(2)).rejects.toThrow('ENOENT')
  })
})

describe('LineLog', () => {
  it('keeps the newest lines in two files, and reads on behind a line that was cut off', async () => {
    const path = join(folder(), 'log')
    const log = new LineLog({ path, maxBytes: 20 })
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) await log.append([line], true)
    expect(await log.read()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
    for (const line of ['eight', 'nine', 'ten']) await log.append([line], false)
    expect(await log.read()).toEqual(['five', 'six', 'seven', 'eight', 'nine', 'ten'])
    await log.close()
    appendFileSync(`${path}.ndjson`, 'cut of')
    const again = new LineLog({ path, maxBytes: 200 })
    expect((await again.read()).at(-1)).toBe('ten')
    await Promise.all([again.append(['eleven'], true), again.append(['twelve'], false)])
    expect((await again.read()).slice(-3)).toEqual(['cut of', 'eleven', 'twelve']) // no JSON, so no line to who reads it
    await again.close()
  })
})

describe('Quarantine', () => {
  it('keeps rows for 30 days, the newest first, each cut', async () => {
    const path = folder()
    let now = 1_000_000 * DAY_MS
    const quarantine = await Quarantine.open(path, () => now, slices)
    const errors = [{ parameter: 'row', message: 'is not JSON' }]
    await Promise.all(['a', 'b'].map((row) => quarantine.add('t/d/s', [{ row, errors }])))
    now += 29 * DAY_MS
    await quarantine.add('t/d/s', [{ row: 'ü'.repeat(4000), errors }])
    await quarantine.add('T/d/s', [{ row: 'other', errors }])
    const rows = await quarantine.list('t/d/s')
    expect(rows.map(({ id, row }) => [id, row.length])).toEqual([
      ['q-00000003', 2048],
      ['q-00000002', 1],
      ['q-00000001', 1],
    ])
    expect([await quarantine.count('t/d/s'), await quarantine.count('T/d/s'), await quarantine.count('none')]).toEqual([
      3, 1, 0,
    ])
    now += DAY_MS + 1
    expect(await quarantine.count('t/d/s')).toBe(1)
    await quarantine.close()
    const again = await Quarantine.open(path, () => now, slices)
    await again.add('t/d/s', [{ row: 'c', errors }])
    expect((await again.list('t/d/s')).map(({ id }) => id)).toEqual(['q-00000004', 'q-00000003'])
    await again.close()
  })

  it('of who sends nothing but bad rows has two megabytes, and of others all', async () => {
    const quarantine = await Quarantine.open(folder(), () => 0, slices)
    const errors = [{ parameter: 'row', message: 'is not JSON' }]
    await quarantine.add('quiet', [{ row: 'x', errors }])
    const many = Array.from({ length: 1000 }, () => ({ row: 'y'.repeat(5000), errors }))
    for (let i = 0; i < 5; i++) await quarantine.add('loud', many)
    const count = await quarantine.count('loud')
    expect([count > 400, count < 520, await quarantine.count('quiet')]).toEqual([true, true, 1])
    await quarantine.close()
  })
})

describe('BatchKeys', () => {
  it('knows a key for a day, across a restart, of its data source alone', async () => {
    const path = folder()
    let now = 1_000_000 * DAY_MS
    const batch = { source: 't/d/s', key: 'k', bodyHash: 'h', atMs: now, accepted: 3, quarantined: 1 }
    const keys = await BatchKeys.open(path, () => now, slices)
    await keys.add(batch)
    expect(await keys.find('t/d/s', 'k')).toEqual(batch)
    expect([await keys.find('t/d/other', 'k'), await keys.find('u/d/s', 'k')]).toEqual([undefined, undefined])
    await keys.close()
    now += DAY_MS
    const again = await BatchKeys.open(path, () => now, slices)
    expect(await again.find('t/d/s', 'k')).toEqual(batch)
    now += 1
    expect(await again.find('t/d/s', 'k')).toBe(undefined)
    await again.close()
  })

  it('holds no key in memory for longer, however few come after it', async () => {
    let now = 1_000_000 * DAY_MS
    const batch = (key: string) => ({ source: 't/d/s', key, bodyHash: 'h', atMs: now, accepted: 1, quarantined: 0 })
    const keys = await BatchKeys.open(folder(), () => now, slices)
    for (const key of ['a', 'b', 'a']) await keys.add(batch(key))
    now += DAY_MS / 2
    const [c, a] = [batch('c'), batch('a')]
    for (const it of [c, a]) await keys.add(it) // one that comes again is the newest
    now += DAY_MS / 2 + 1
    await keys.add(batch('d'))
    now -= DAY_MS / 2 // only what is in memory is there to be found
    expect(await keys.find('t/d/s', 'b')).toBe(undefined)
    expect([await keys.find('t/d/s', 'c'), await keys.find('t/d/s', 'a')]).toEqual([c, a])
    await keys.close()
  })
})

describe('NoticeBoard', () => {
  const told = { level: 'warning', kind: 'delayed', message: 'is delayed' } as const

  it('keeps the newest thousand of each tenant, however many another has, across a restart', async () => {
    const path = join(folder(), 'notices')
    const board = await NoticeBoard.open(path, () => 0)
    board.post({ ...told, source: 'quiet/d/clicks' })
    board.post({ ...told, source: null, kind: 'node-down' })
    for (let i = 0; i < 12_000; i++) board.post({ ...told, source: `loud/d/s${i % 1000}` })
    board.post({ ...told, source: 'quiet/d/clicks', kind: 'flowing' })
    const expected = (it: NoticeBoard) => {
      expect(it.after(0, 'quiet').map(({ number, kind }) => `${number} ${kind}`)).toEqual([
        ...['1 delayed', '2 node-down', '12003 flowing'],
      ])
      const loud = it.after(0, 'loud')
      expect([loud.length, loud[0]?.number, loud[1]?.number, loud.at(-1)?.number]).toEqual([1001, 2, 11_003, 12_002])
      expect(it.after(12_001, 'loud').map(({ source }) => source)).toEqual(['loud/d/s999'])
      expect(it.after(0, 'other').map(({ kind }) => kind)).toEqual(['node-down'])
    }
    expected(board)
    await board.close()
    const again = await NoticeBoard.open(path, () => 0)
    expected(again)
    expect(again.post({ ...told, source: 'quiet/d/clicks' }).number).toBe(12_004)
    await again.close()
  })

  it('keeps them for 30 days', async () => {
    let now = 1_000_000 * DAY_MS
    const board = await NoticeBoard.open(undefined, () => now)
    for (const source of ['t/d/a', null]) board.post({ ...told, source })
    now += 30 * DAY_MS
    board.post({ ...told, source: 't/d/b' })
    expect(board.after(0, 't').map(({ source }) => source)).toEqual(['t/d/a', null, 't/d/b'])
    now += 1
    expect(board.after(0, 't').map(({ source }) => source)).toEqual(['t/d/b'])
  })
})

/** A stream as text. */
function read(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  return {
    async read() {
      const { done, value } = await reader.read()
      return { done, value: value && new TextDecoder().decode(value) }
    },
  }
}

describe('NoticeFeed', () => {
  it('sends what was missed and what comes, says that it is there, and ends', async () => {
    const clock = new VirtualClock()
    const board = await NoticeBoard.open(undefined, () => clock.wallNow())
    const post = (message: string) => board.post({ level: 'info', kind: 'node-up', source: null, message })
    for (const message of ['one', 'two', 'three']) post(message)
    const feed = new NoticeFeed(board, clock)
    let left = 0
    const frameOf = ({ message }: { message: string }) => (message === 'hidden' ? undefined : `${message};`)
    const reader = read(feed.follow('t', 1, frameOf, () => left++))
    expect((await reader.read()).value).toBe('two;three;')
    const next = reader.read()
    post('hidden')
    post('four')
    expect((await next).value).toBe('four;')
    const silent = reader.read()
    await clock.advance(15_000)
    expect((await silent).value).toBe(': still here\n\n')
    const last = reader.read()
    await clock.advance(1)
    feed.close()
    expect([(await last).done, left]).toEqual([true, 1])
    const late = read(feed.follow('t', 0, frameOf, () => left++))
    expect([(await late.read()).value, left]).toEqual(['one;two;three;four;', 2])
    expect((await late.read()).done).toBe(true)
  })
})
