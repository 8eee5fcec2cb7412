// The world stops at a point and never goes on; another process begins with what is on disk.
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { VirtualClock } from '@sluice/core/testing'
import { IngestPipeline } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import { expect, test } from 'vitest'
import { firstNumberIn, temporaryFolders } from '../spool/folders.js'
import { reached, ScriptedNode } from './scripted-node.js'

const folder = temporaryFolders()
/** A process that is gone closes nothing: its files are kept open here, or they would be closed in the midst of another test. */
const gone: Spool[] = []
const NEVER = new Promise<never>(() => {})

/** How long the disk takes means nothing in this clock. */
const patient = { oldIntervals: 1e9, slowFlushes: 1e9 }

/** What a run came to. */
interface World {
  readonly path: string
  readonly clock: VirtualClock
  readonly node: ScriptedNode
  readonly points: string[]
  readonly acknowledged: Set<string>
  readonly sent: Set<string>
  isStopped: boolean
  isFinished: boolean
  /** What the disk does that began before the world stopped. */
  onItsWay: number
  /** How long the segments were when they were last put on disk. */
  onDisk: Map<string, number>
}

/** Virtual time is quicker than the disk, which is to come to its end. */
const LONG_MS = 10_000_000

const sizesOf = (path: string): Map<string, number> =>
  new Map(
    readdirSync(path).map((name) => {
      const file = join(path, name)
      return [file, statSync(file, { throwIfNoEntry: false })?.size ?? 0] // a segment may just go
    }),
  )

/**
 * Accepts four requests for two data sources and three partitions, some of whose inserts are lost, beside one for a data
 * source that is paused when two of its three blocks are under way, and closes. So what is paused is copied, with its claims.
 */
function begin(path: string, node: ScriptedNode, clock: VirtualClock, stopAt: number): World {
  const world: World = {
    ...{ path, clock, node, points: [], acknowledged: new Set(), sent: new Set() },
    ...{ isStopped: false, isFinished: false, onItsWay: 0, onDisk: new Map() },
  }
  const at = (point: string): Promise<void> | void => {
    const isNodes = /insert|look-up/.test(point)
    if (point.startsWith('after') && !isNodes) world.onItsWay--
    if (world.isStopped) return NEVER
    if (point === 'after sync') world.onDisk = sizesOf(path)
    world.isStopped = world.points.length === stopAt
    world.points.push(point)
    if (world.isStopped) return NEVER
    if (point.startsWith('before') && !isNodes) world.onItsWay++
  }
  node.at = at
  let inserts = 0
  node.fate = () => [undefined, 'lost_after', undefined, 'lost_before', 'hangs'][inserts++ % 5] as undefined
  const run = async (): Promise<void> => {
    const spool = await Spool.open(path, { groupMs: 0, segmentBytes: 300, fault: at, clock })
    gone.push(spool)
    const pipeline = await IngestPipeline.start({
      ...{ spool, clock, nodes: [reached(node, () => world.isStopped)] },
      ...{ flushIntervalMs: 20, maxRows: 3, insertTimeoutMs: 200, retryMs: 20, random: () => 0.5 },
      breaker: patient,
    })
    const paused = ['p', 'q', 'r'].map((partition, i) => ({ partition, row: `paused-${i}` }))
    for (const { row } of paused) world.sent.add(row)
    const verdict = await pipeline.accept('paused', paused)
    if (verdict.status === 202) for (const { row } of paused) world.acknowledged.add(row)
    while (node.attempts === 0) await new Promise<void>((next) => void clock.timer(1, next))
    await pipeline.backlogs.pause('paused')
    const accept = async (i: number): Promise<void> => {
      const events = ['p', 'q', 'p', 'r'].map((partition, j) => ({ partition, row: `${i}-${j}` }))
      for (const { row } of events) world.sent.add(row)
      const verdict = await pipeline.accept(i % 2 ? 'a' : 'b', events)
      if (verdict.status === 202) for (const { row } of events) world.acknowledged.add(row)
      if (verdict.status === 202) await verdict.written()
    }
    await Promise.all([0, 1, 2].map(accept))
    await accept(3)
    await pipeline.close(LONG_MS)
    world.isFinished = true
  }
  void run()
  return world
}

/** Time goes on, and the disk keeps up with it, until there is nothing more to come. */
async function live({ clock }: { clock: VirtualClock }, isOver: () => boolean): Promise<void> {
  for (let i = 0; i < 200_000 && !isOver(); i++) await clock.advance(10)
  expect(isOver()).toBe(true)
}

/** Another process, which is given all the time it needs; then the node is counted. */
async function judge(world: World, at: string): Promise<void> {
  const { path, node, acknowledged, sent } = world
  const clock = world.clock
  node.at = () => {}
  node.fate = () => undefined
  const spool = await Spool.open(path, { groupMs: 0, clock })
  expect(spool.findings.damaged, at).toEqual([])
  const starting = IngestPipeline.start({ spool, nodes: [node], clock, breaker: patient, random: () => 0.5 })
  let pipeline: IngestPipeline | undefined
  void starting.then((it) => {
    pipeline = it
  })
  await live(
    world,
    () => pipeline !== undefined && pipeline.backlogs.list().length === 0 && spool.backlog().bytes === 0,
  )
  let isClosed = false
  void pipeline?.close(LONG_MS).then(() => {
    isClosed = true
  })
  await live(world, () => isClosed)
  const { rows } = node
  expect(new Set(rows).size, `${at}: none is doubled`).toBe(rows.length)
  for (const row of acknowledged) expect(rows, `${at}: ${row} was acknowledged`).toContain(row)
  for (const row of rows) expect(sent, `${at}: ${row} was sent`).toContain(row)
}

const start = (stopAt: number): World => {
  const clock = new VirtualClock()
  return begin(folder(), new ScriptedNode('n1', clock), clock, stopAt)
}

/** So many worlds side by side: what each waits for is the disk. */
async function enumerate(crash: (stopAt: number) => Promise<boolean>): Promise<number> {
  let next = 0
  let isPast = false
  const worker = async (): Promise<void> => {
    while (!isPast) if (!(await crash(next++))) isPast = true
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return next
}

test('I4: at each point before and after each write, sync, claim, mark, insert and look-up: 0 lost, 0 doubled', async () => {
  const seen = new Set<string>()
  let oldest = 0
  const crashes = await enumerate(async (stopAt) => {
    const world = start(stopAt)
    await live(world, () => (world.isStopped && world.onItsWay === 0) || world.isFinished)
    for (const point of world.points) seen.add(point)
    if (world.isFinished) oldest = firstNumberIn(world.path)
    await judge(world, `${stopAt} ${world.points.at(-1)}`)
    return world.isStopped
  })
  const files = ['create', 'write', 'sync', 'sync folder', 'remove']
  const points = [...files, 'insert', 'look-up'].flatMap((act) => [`before ${act}`, `after ${act}`])
  expect([...seen].sort()).toEqual(points.sort())
  expect(crashes).toBeGreaterThan(100)
  expect(oldest).toBeGreaterThan(2) // what is paused, which is number 1, was copied
})

test('I4: the same where the power fails: of what was not put on disk there is a part, or nothing', async () => {
  let torn = 0
  await enumerate(async (stopAt) => {
    const world = start(stopAt)
    await live(world, () => (world.isStopped && world.onItsWay === 0) || world.isFinished)
    const last = world.points.at(-1) ?? ''
    for (const [path, size] of last === 'before sync' ? sizesOf(world.path) : []) {
      const kept = world.onDisk.get(path) ?? 0
      truncateSync(path, kept + Math.floor(((size - kept) * (stopAt % 3)) / 3))
      torn += size > kept ? 1 : 0
    }
    if (last === 'before sync' || world.isFinished) await judge(world, `${stopAt} ${last}, torn`)
    return world.isStopped
  })
  expect(torn).toBeGreaterThan(3)
})
