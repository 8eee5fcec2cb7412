import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startClickHouse } from '../test/nodes/servers.js'
import { GatewayProcess } from './gateway-process.js'
import { linesOf } from './load.js'
import type { Report } from './report.js'
import { percentile } from './statistics.js'

/** How much of it there is. */
export interface IsolationOptions {
  /** Data sources, the two bad ones included. */
  readonly sources: number
  readonly seconds: number
}

const [WITH, WITHOUT, ALONE] = ['with isolation', 'without isolation', 'without the two bad ones'] as const
const FLUSH_MS = 1000
const RUNAWAY = 'runaway'
const VIEWED = 'viewed'
const COLUMNS = [
  { name: 'id', type: 'UInt64' },
  { name: 'day', type: 'Date' },
  { name: 'text', type: 'String' },
]
const DAY_PARTITION = { column: 'day', by: 'day' } as const
/** Of an ordinary data source, in a second. */
const ROWS = 10
/** What is sent at the end may take so long. */
const PATIENCE_MS = 30_000

interface Found {
  /** From the request to the answer that its rows are written, of ordinary data sources. */
  readonly tookMs: readonly number[]
  /** Answers that said something else, by what. */
  readonly refused: ReadonlyMap<string, number>
}

/**
 * Many ordinary data sources beside one that sends 20 times as much with a partition for each row, and one whose table has
 * a slow view: how long it takes until the others' rows are written, and the same without isolation.
 */
export async function isolation(report: Report, options: IsolationOptions): Promise<void> {
  const found = await run(report, options, WITH)
  const { tookMs, refused } = found
  const isKept = tookMs.length > 0 && refused.size === 0 && percentile(tookMs, 0.99) <= 2 * FLUSH_MS
  report.check(
    `The others, ${WITH}: accepted and written, p99 within ${inSeconds(2 * FLUSH_MS)}`,
    isKept,
    inWords(found),
  )
  report.figure(`The others, ${WITHOUT}: accepted and written`, inWords(await run(report, options, WITHOUT)))
}

/** In brief, for a machine that is busy with other things: with the bad ones as without them, but for one flush interval. */
export async function unharmed(report: Report, options: IsolationOptions): Promise<void> {
  const alone = await run(report, options, ALONE)
  report.figure(`The others, ${ALONE}: accepted and written`, inWords(alone))
  const found = await run(report, options, WITH)
  const isKept =
    found.tookMs.length > 0 &&
    found.refused.size === 0 &&
    percentile(found.tookMs, 0.9) <= percentile(alone.tookMs, 0.9) + FLUSH_MS
  report.check(`The others, ${WITH}: p90 as ${ALONE}, and a flush interval at most`, isKept, inWords(found))
}

function inWords({ tookMs, refused }: Found): string {
  const [p50, p90, p99, most] = [0.5, 0.9, 0.99, 1].map((share) => inSeconds(percentile(tookMs, share)))
  const others = [...refused].map(([what, times]) => `${times} × ${what}`).join(', ') || 'none refused'
  return `p50 ${p50}, p90 ${p90}, p99 ${p99}, longest ${most}; ${tookMs.length} batches, ${others}`
}

async function run(
  report: Report,
  { sources, seconds }: IsolationOptions,
  name: typeof WITH | typeof WITHOUT | typeof ALONE,
): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-isolation-'))
  const server = await startClickHouse()
  const { url, user, password } = server
  const nodes = [{ name: 'server-1', url, user, password }]
  const gateway = await GatewayProcess.start({ folder, embedded: 0, nodes, isolation: name !== WITHOUT, isQuiet: true })
  const { api } = gateway
  const ordinary = Array.from({ length: sources - 2 }, (_, i) => `source_${i + 1}`)
  const tookMs: number[] = []
  const refused = new Map<string, number>()
  try {
    const plan = { flush_interval_ms: FLUSH_MS }
    for (const source of ordinary) await api.define(source, { columns: COLUMNS, plan })
    for (const source of [RUNAWAY, VIEWED])
      await api.define(source, { columns: COLUMNS, partition: DAY_PARTITION, plan })
    const view = `CREATE MATERIALIZED VIEW s_default__default.slow ENGINE = Null AS SELECT id, sleep(0.9) AS slept`
    await server.sql(`${view} FROM s_default__default.${VIEWED}`)
    // Each has been written to once: what is measured is no first time.
    await Promise.all(ordinary.map((source) => api.send(source, linesOf({ batch: 1, rows: ROWS }), true)))

    const sinceMs = performance.now()
    const endMs = sinceMs + seconds * 1000
    const open = new Map<symbol, number>()
    const good = ordinary.map(async (source, i) => {
      await sleep((i / ordinary.length) * 1000)
      const underWay: Promise<void>[] = []
      for (let batch = 2; performance.now() < endMs; batch++) {
        underWay.push(one(source, batch))
        await sleep(Math.max(0, sinceMs + (i / ordinary.length + batch - 1) * 1000 - performance.now()))
      }
      await Promise.all(underWay)
    })
    const one = async (source: string, batch: number) => {
      const id = Symbol(source)
      const beganMs = performance.now()
      open.set(id, beganMs)
      const { status, text } = await api.send(source, linesOf({ batch, rows: ROWS }), true)
      if (!open.delete(id)) return // it was given up
      if (status === 200) tookMs.push(performance.now() - beganMs)
      else {
        const what = `${status} ${/"detail":"([^"]*)"/.exec(text)?.[1] ?? text}`
        refused.set(what, (refused.get(what) ?? 0) + 1)
      }
    }
    const [runaway, viewed] = [
      (i: number) => api.send(RUNAWAY, spreadOut(i, (20 * ROWS) / 4, 1000), false),
      (i: number) => api.send(VIEWED, spreadOut(i, 4 * ROWS, 20), false),
    ]
    const bad = name === ALONE ? [] : [every(250, endMs, runaway), every(1000, endMs, viewed)]
    const watch = every(1000, endMs, async (i) => report.progress(`${name}: ${i} of ${seconds} s`))
    await Promise.all([...bad, watch])
    await Promise.race([Promise.all(good), sleep(PATIENCE_MS)])
    // What has not been written by now took as long at least.
    for (const beganMs of open.values()) tookMs.push(performance.now() - beganMs)
    open.clear()
    const states = [RUNAWAY, VIEWED].map(async (source) => {
      const { state, backlog } = JSON.parse(await api.must('GET', `/v1/datasources/${source}`))
      return `${source} ${state}, ${backlog.rows} rows wait`
    })
    report.figure(`At the end, ${name}`, (await Promise.all(states)).join('; '))
    return { tookMs, refused }
  } finally {
    await gateway.kill()
    api.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** At a steady pace, however long each takes. */
async function every(ms: number, endMs: number, act: (i: number) => Promise<unknown>): Promise<void> {
  const sinceMs = performance.now()
  for (let i = 1; performance.now() < endMs; i++) {
    void act(i)
    await sleep(Math.max(0, sinceMs + i * ms - performance.now()))
  }
}

/** Rows of which each is in the next of so many partitions. */
function spreadOut(batch: number, rows: number, partitions: number): string {
  return Array.from({ length: rows }, (_, i) => {
    const day = new Date(86_400_000 * (10_000 + ((batch * rows + i) % partitions))).toISOString().slice(0, 10)
    return JSON.stringify({ id: batch * 1000 + i, day, text: 'a row of one that is no good neighbour' })
  }).join('\n')
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
