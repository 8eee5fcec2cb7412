import { rmSync } from 'node:fs'
import type { FromChild, ToChild } from '../nodes/embedded/messages.js'
import { writeAccess } from './access.js'
import { ControlSession } from './control-session.js'
import { InsertRunner } from './insert-runner.js'
import { Jobs } from './jobs.js'
import { EngineMissingError, loadChdb, type OpenSession } from './load-chdb.js'
import { QueryRunner } from './query-runner.js'
import { requireRoom } from './require-room.js'
import { SessionPool } from './session-pool.js'

/** Reads cannot write, create or change `readonly` itself; 64-bit integers are quoted, or JSON would round them. */
const READ_ARGS = ['--readonly=2', '--output_format_json_quote_64bit_integers=1']

/** What is asked for beside queries and inserts: tables, look-ups, parts. A slow insert must not keep them waiting. */
const OWN_SESSIONS = 2
const OWN_ARGS = ['--output_format_json_quote_64bit_integers=1']

interface Engine {
  readonly path: string
  readonly jobs: Jobs
  readonly queries: QueryRunner
  readonly own: QueryRunner
  readonly inserts: InsertRunner
  readonly control: ControlSession
  readonly openSession: OpenSession
  readonly close: () => void
}

let engine: Engine | undefined
let removeAtEnd: string | undefined

const send = (message: FromChild) => {
  if (process.connected) process.send?.(message, () => undefined) // a gateway that is gone is met by 'disconnect'
}

async function open(message: Extract<ToChild, { type: 'open' }>): Promise<void> {
  const { path, removePath, sessions, writeSessions, maxWaiting, roles } = message
  if (removePath) removeAtEnd = path
  try {
    const { version, openSession } = await loadChdb(path, writeAccess(path, roles))
    const control = new ControlSession(() => openSession([]))
    const jobs = new Jobs(control)
    const reads = new SessionPool(() => openSession(READ_ARGS), sessions, maxWaiting)
    const writes = new SessionPool(() => openSession([]), writeSessions, maxWaiting)
    const own = new SessionPool(() => openSession(OWN_ARGS), OWN_SESSIONS, maxWaiting)
    const close = () => {
      for (const it of [reads, writes, own, control]) it.close()
    }
    const runners = { queries: new QueryRunner(reads, jobs), own: new QueryRunner(own, jobs) }
    engine = { path, jobs, ...runners, inserts: new InsertRunner(writes, jobs), control, openSession, close }
    send({ type: 'ready', version })
  } catch (error) {
    if (error instanceof EngineMissingError) send({ type: 'unusable', code: 'ENGINE_MISSING', message: error.message })
    else {
      const message = `The engine cannot open ${path}: ${messageOf(error)}. Name a folder that no other gateway uses.`
      send({ type: 'unusable', code: 'ENGINE_FAILED', message })
    }
  }
}

async function seed({ path, openSession }: Engine, message: Extract<ToChild, { type: 'seed' }>): Promise<void> {
  const session = openSession([])
  try {
    await requireRoom(path, message.createSql)
    await session.queryAsync(`DROP TABLE IF EXISTS ${message.table} SYNC`)
    await session.queryAsync(message.createSql)
    await session.insert({ table: message.table, format: 'JSONEachRow', values: Buffer.from(message.ndjson) })
  } finally {
    session.close()
  }
}

async function answer(message: Extract<ToChild, { id: string }>): Promise<void> {
  const { type, id } = message
  try {
    if (engine === undefined) throw new Error('The engine is not open.')
    if (type === 'cancel') return engine.jobs.cancel(id)
    if (type === 'query') return send({ type: 'answer', id, answer: await engine.queries.run(id, message) })
    if (type === 'run') await requireRoom(engine.path, message.sql)
    if (type === 'run') return send({ type: 'rows', id, rows: await engine.own.rows(id, message.sql) })
    if (type === 'insert') await engine.inserts.run(id, message)
    if (type === 'settle') await engine.inserts.settle(message.block)
    if (type === 'ping') await engine.control.run('SELECT 1')
    if (type === 'seed') await seed(engine, message)
    send({ type: 'done', id })
  } catch (error) {
    const clickhouseCode = codeOf(error)
    send({ type: 'failure', id, message: messageOf(error), ...(clickhouseCode !== undefined && { clickhouseCode }) })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('clickhouseCode' in error)) return undefined
  return typeof error.clickhouseCode === 'number' ? error.clickhouseCode : undefined
}

/** The gateway ends this process if that takes too long. */
async function close(): Promise<void> {
  await engine?.jobs.drain()
  engine?.close()
  removeFiles() // here too: the gateway may be gone before this process has ended
  process.exit(0)
}

function removeFiles(): void {
  if (removeAtEnd !== undefined) rmSync(removeAtEnd, { recursive: true, force: true, maxRetries: 3 })
}

/** Without waiting: process.exit would wait for queries that run, and nobody is left to want them. */
function endNow(): void {
  removeFiles()
  process.kill(process.pid, 'SIGKILL')
}

// The message's shape is sure: the other end is ours.
process.on('message', (message: ToChild) => {
  if (message.type === 'open') void open(message)
  else if (message.type === 'close') void close()
  else void answer(message)
})
process.on('disconnect', endNow)
// A terminal and a service manager send these to every process of the group; the gateway decides when this one ends.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
