import { VirtualClock } from '@sluice/core/testing'
import type { Notice, SourceBacklog } from '@sluice/ingest'
import { describe, expect, it } from 'vitest'
import { may, maySee, type Scope } from '../../src/auth/scopes.js'
import { Turns } from '../../src/ingest/batch/turns.js'
import { DataSource } from '../../src/ingest/data-source.js'
import { definitionSchema } from '../../src/ingest/definition.js'
import { Freshness } from '../../src/ingest/freshness.js'
import { logDamage, spoolDamaged } from '../../src/ingest/spool-findings.js'
import type { NodeState, NodeTrouble } from '../../src/nodes/node.js'
import { NodeWatch, type WatchedNode } from '../../src/notices/node-watch.js'
import { NoticeBoard } from '../../src/notices/notice-board.js'
import { wordsOf } from '../../src/notices/notices-of-pipeline.js'
import { SourceWatch } from '../../src/notices/source-watch.js'
import { refusalOf, sourceQuotaSpent, writePending } from '../../src/server/events-refused.js'

const definition = definitionSchema.parse({ columns: [{ name: 'a', type: 'Int8' }], plan: { backlog_max_age_s: 60 } })
const clicks = new DataSource({ tenant: 't', dataset: 'd' }, 'clicks', definition, 0, new Freshness(), () => 0)

describe('scopes', () => {
  it.each<[Scope[], string]>([
    [['admin'], 'read write owner sees'],
    [['owner:clicks'], 'read write owner sees'],
    [['owner:*'], 'read write owner sees'],
    [['write:clicks'], 'write sees'],
    [['read:*'], 'read sees'],
    [['read:other', 'write:click', 'owner:clicks2'], ''],
    [[], ''],
  ])('%j to "clicks": %s', (scopes, rights) => {
    const has = (['read', 'write', 'owner'] as const).filter((right) => may(scopes, right, 'clicks'))
    expect([...has, ...(maySee(scopes, 'clicks') ? ['sees'] : [])].join(' ')).toBe(rights)
  })
})

describe('what a pipeline refuses', () => {
  it.each([
    [
      'limited',
      429,
      12_001,
      429,
      'source-limited',
      '13',
      '"clicks" did not keep up for long and takes fewer events for a time. Come back in 13 s.',
    ],
    [
      'source_bytes',
      429,
      null,
      429,
      'backlog-full',
      undefined,
      /more than 1073741824 bytes of "clicks" would wait.* Send less at once\.$/,
    ],
    ['source_age', 429, 60_000, 429, 'backlog-full', '60', /^Events of "clicks" wait for more than 60 s/],
    [
      'source_pieces',
      429,
      null,
      429,
      'backlog-full',
      undefined,
      /^With this too many pieces of "clicks" .* at once\.$/,
    ],
    [
      'tenant_bytes',
      429,
      2000,
      429,
      'backlog-full',
      '2',
      /^With this more of your tenant's would .* Come back in 2 s\.$/,
    ],
    ['tenant_pieces', 429, 2000, 429, 'backlog-full', '2', /^With this more of your tenant's would /],
    ['total_pieces', 503, 60_000, 503, 'unavailable', '60', 'As much waits to be written as the gateway may keep.'],
    ['total_bytes', 503, 60_000, 503, 'unavailable', '60', 'As much waits to be written as the gateway may keep.'],
    ['total_age', 503, 60_000, 503, 'unavailable', '60', 'As much waits to be written as the gateway may keep.'],
    ['closing', 503, 1000, 503, 'unavailable', '1', 'The gateway is shutting down.'],
  ] as const)(
    '%s is answered in the words of the API',
    (reason, status, retryAfterMs, answered, kind, wait, detail) => {
      const { problem } = refusalOf(clicks, { status, reason, retryAfterMs }, false)
      expect([problem.status, problem.kind, problem.headers?.['Retry-After']]).toEqual([answered, kind, wait])
      expect(problem.detail).toMatch(detail)
    },
  )

  it('says where its owner has paused what is full', () => {
    const refused = { status: 429, reason: 'source_bytes', retryAfterMs: null } as const
    const { detail } = refusalOf(clicks, refused, true).problem
    expect(detail).toMatch(
      / all its plan allows\. Its owner has paused it; it takes more once it is resumed and written/,
    )
    expect(refusalOf(clicks, { ...refused, status: 503, reason: 'total_bytes' }, true).problem.detail).not.toMatch(
      /paused/,
    )
  })

  it.each([
    [1, 'late', 'The 1 row is on disk, but not written within 500 ms. That will be done; do not send it again.'],
    [2, 'closing', 'The 2 rows are on disk, but not written when the gateway shut down. That will be done; do not'],
    [1, 'dropped', 'The 1 row was on disk, and an owner has dropped the backlog before that was written.'],
  ] as const)('says of %i rows that were not written why: %s', (rows, why, detail) => {
    expect(writePending(rows, why, 500).problem.detail).toContain(detail)
  })

  it('says what a plan allows, be it one', () => {
    const one = definitionSchema.parse({ columns: definition.columns, plan: { requests_per_second: 1, burst: 1 } })
    const source = new DataSource({ tenant: 't', dataset: 'd' }, 'slow', one, 0, new Freshness(), () => 0)
    source.requests.take('a', source.key)
    const refused = sourceQuotaSpent(source, source.requests.take('a', source.key), 'request').problem
    expect(refused.detail).toBe(
      'The plan of "slow" allows 1 request a second of each token and 1 at once. Come back in 1 s.',
    )
  })
})

describe('what a pipeline tells', () => {
  const told = (it: Partial<Notice>) =>
    wordsOf({
      id: 1,
      atMs: 0,
      source: 't/d/clicks',
      state: 'flowing',
      before: 'flowing',
      reason: 'why',
      untilMs: null,
      ...it,
    })

  it.each<[Partial<Notice>, string, string, string]>([
    [
      { state: 'delayed', untilMs: 3_600_000 },
      'warning',
      'delayed',
      'Writes to "clicks" are held back until 01:00:00 UTC: why. Events are still accepted.',
    ],
    [
      { state: 'limited', before: 'delayed' },
      'error',
      'limited',
      '"clicks" takes fewer events: why. An owner may lift that (liftLimit).',
    ],
    [
      { state: 'delay-does-not-help', before: 'delayed' },
      'error',
      'delay-does-not-help',
      'Writes to "clicks" are no longer held back, though it does not keep up: why.',
    ],
    [{ before: 'limited' }, 'info', 'flowing', '"clicks" is written as usual again.'],
    [{}, 'warning', 'backlog-dropped', '"clicks": why.'],
  ])('%j as %s', (it, level, kind, message) => {
    expect(told(it)).toEqual({ level, kind, message, source: 't/d/clicks' })
  })
})

describe('what is watched', () => {
  const board = async (clock: VirtualClock) => NoticeBoard.open(undefined, () => clock.wallNow())
  const kinds = (of: NoticeBoard) => of.after(0, 't').map(({ kind }) => kind)

  it('tells of a node once when it is gone for three looks, and once when it is back', async () => {
    const clock = new VirtualClock()
    const notices = await board(clock)
    const node = { name: 'n', state: 'starting' as 'starting' | 'up' | 'down' }
    const watch = new NodeWatch(notices, [node], clock)
    watch.start()
    await clock.advance(2000)
    node.state = 'up'
    await clock.advance(1000)
    expect(kinds(notices)).toEqual([]) // it was never away for long
    node.state = 'down'
    await clock.advance(10_000)
    node.state = 'up'
    await clock.advance(10_000)
    expect(kinds(notices)).toEqual(['node-down', 'node-up'])
    watch.close()
  })

  it('tells of a node what is wrong with it, again where that is something else, and since when each is gone', async () => {
    const clock = new VirtualClock()
    const notices = await board(clock)
    const node: WatchedNode & { state: NodeState; trouble: NodeTrouble } = {
      ...{ name: 'n', state: 'down' },
      trouble: { kind: 'silent', words: 'does not answer (ECONNREFUSED)' },
    }
    const other: WatchedNode & { state: NodeState } = { name: 'm', state: 'up' }
    const watch = new NodeWatch(notices, [node, other], clock)
    watch.start()
    const sinceMs = clock.wallNow()
    const changes = () => ['n', 'm', null].map((name) => watch.lastChange(name))
    await clock.advance(4000)
    node.trouble = { kind: 'silent', words: 'does not answer (ETIMEDOUT)' } // which is no news
    await clock.advance(4000)
    node.trouble = { kind: 'refuses', words: 'refuses the gateway (Code: 193)' }
    await clock.advance(4000)
    node.trouble = { kind: 'silent', words: 'does not answer' } // nor is what was told before
    await clock.advance(4000)
    expect(changes()).toEqual([{ isGone: true, atMs: sinceMs + 3000 }, undefined, undefined])
    other.state = 'down'
    await clock.advance(4000)
    expect(watch.lastChange(null)).toEqual({ isGone: true, atMs: sinceMs + 19_000 })
    node.state = 'up'
    await clock.advance(4000)
    expect(changes()).toEqual([
      { isGone: false, atMs: sinceMs + 21_000 },
      { isGone: true, atMs: sinceMs + 19_000 },
      { isGone: false, atMs: sinceMs + 21_000 },
    ])
    node.state = 'down' // once more: it is told anew
    await clock.advance(4000)
    const rest = 'What goes there waits, and its data sources are delayed; queries that need it fail.'
    expect(notices.after(0, 't').map(({ message }) => message)).toEqual([
      `Node "n" does not answer (ECONNREFUSED). ${rest}`,
      `Node "n" refuses the gateway (Code: 193). ${rest}`,
      `Node "m" does not answer. ${rest}`,
      'Node "n" is there again. What waited for it is written.',
      `Node "n" does not answer. ${rest}`,
    ])
    watch.close()
  })

  it('tells of events that wait too long once, and of rows that do not fit every ten minutes', async () => {
    const clock = new VirtualClock()
    const notices = await board(clock)
    let rows = 1
    const oldestAtMs = clock.wallNow()
    const backlogs = () => [{ source: clicks.key, oldestAtMs, rows } as SourceBacklog] // all that is looked at
    const watch = new SourceWatch({ board: notices, backlogs, find: () => clicks, clock })
    await clock.advance(60_000)
    expect(kinds(notices)).toEqual([])
    await clock.advance(30_000)
    expect(kinds(notices)).toEqual(['old-events'])
    rows = 0
    await clock.advance(2000)
    rows = 1
    await clock.advance(2000)
    expect(kinds(notices)).toEqual(['old-events', 'old-events'])
    for (let i = 0; i < 3; i++) watch.quarantined(clicks, 7)
    await clock.advance(600_000)
    watch.quarantined(clicks, 1)
    await clock.advance(1_200_000)
    watch.quarantined(clicks, 1)
    expect(notices.after(2, 't').map(({ message }) => message.slice(0, 60))).toEqual([
      '7 rows for "clicks" did not fit its schema. listQuarantine s',
      'In the last 10 minutes 14 more rows for "clicks" did not fit',
      'In the last 10 minutes 1 more row for "clicks" did not fit i',
      '1 row for "clicks" did not fit its schema. listQuarantine sh',
    ])
    watch.close()
  })
})

it('few large bodies are read at a time, one of each tenant, tenants in turn, whatever becomes of each', async () => {
  const turns = new Turns(2)
  const ends = new Map<string, () => void>()
  const begun: string[] = []
  const work = (name: string) =>
    turns.take(name.slice(0, 1), async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      if (name === 'a1') throw new Error('unreadable')
    })
  const all = Promise.allSettled(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(work))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const ended: string[][] = []
  for (const name of ['', 'a1', 'b1', 'a2', 'b2', 'c1', 'a3']) {
    ends.get(name)?.()
    await settled()
    ended.push([...begun])
    begun.length = 0
  }
  expect(ended).toEqual([['a1', 'b1'], ['a2'], ['b2'], ['c1'], ['a3'], [], []])
  expect((await all).map(({ status }) => status)).toEqual(['rejected', ...Array(5).fill('fulfilled')])
  await turns.take('a', async () => begun.push('a4'))
  expect(begun).toEqual(['a4'])
})

describe('damage that is found in the spool while it runs', () => {
  const damaged = [{ path: '/somewhere/0000000000000002-0a0b0c0d.spool', offset: 7, bytes: 40 }]

  it('is a line of the log, with the segment and the place', () => {
    const lines: unknown[] = []
    logDamage(damaged, { info() {}, warn() {}, error: (...line) => void lines.push(line) })
    const place = { segment: '0000000000000002-0a0b0c0d.spool', offset: 7, bytes: 40 }
    expect(lines).toEqual([['damage found in the spool', place]])
  })

  it('is a notice for all owners', () => {
    expect(spoolDamaged(damaged)).toEqual({
      ...{ level: 'error', kind: 'spool-damaged', source: null },
      message: expect.stringMatching(
        /^The disk gave back 40 bytes of the spool in 1 place as they were not written\. /,
      ),
    })
  })
})
