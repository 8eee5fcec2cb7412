import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedNode, ServerNode, type StoreNode, type TableDefinition } from '@sluice/gateway/nodes'
import { type Block, IngestPipeline } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import { startClickHouse, type TestClickHouse } from '../test/nodes/servers.js'
import { giveFirstCore, leaveFirstCore, takeAllCores } from './cores.js'
import { GatewayProcess } from './gateway-process.js'
import type { Report } from './report.js'
import { percentile, spread } from './statistics.js'

/** How much of it there is. */
export interface RatesOptions {
  readonly rounds: number
  /** Blocks of 10 000 rows in each. */
  readonly blocks: number
}

const BLOCK_ROWS = 10_000
const BATCH_ROWS = 1000
/** As many of one data source are under way (I8). */
const LANES = 2
/**
 * Of batches, each of which waits for its write: enough for two blocks under way, two that are claimed, two that are gathered
 * and two that are put on disk, and no backlog.
 */
const SENDERS = 80
const AIM = 0.8
const COLUMNS = [
  { name: 'at', type: 'DateTime' },
  { name: 'user', type: 'String' },
  { name: 'path', type: 'String' },
  { name: 'ms', type: 'UInt32' },
  { name: 'value', type: 'Float64' },
] as const
const DEFINITION = { columns: COLUMNS, partition: { column: 'at', by: 'month' }, order_by: ['at'] } as const
const PARTITION = '202611'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

/** As it is sent to the API, with a fraction of a second as JavaScript writes it; and without, as a node is given it. */
const rowOf = (i: number, at: string): string =>
  JSON.stringify({ at, user: `user-${(i * 7919) % 5000}`, path: `/a/b/c/${i % 300}`, ms: i % 900, value: i / 7 })
const instant = (i: number): string => new Date((1_796_040_000 + i) * 1000).toISOString()

/**
 * Rows a second of the three ways into one engine, in turn: directly, with the pipeline, and over HTTP. Into a server twice:
 * on the same cores, and with a core of its own, where nobody else takes its time and it takes nobody's.
 */
export async function rates(report: Report, options: RatesOptions): Promise<void> {
  await ratesOfServer(report, 'a ClickHouse server', options)
  leaveFirstCore()
  await ratesOfServer(report, 'a ClickHouse server with a core of its own', options, giveFirstCore)
  takeAllCores()
  const node = new EmbeddedNode({ sessions: 4, maxWaiting: 64, datasets: [], logger: silent })
  const made = new Map<readonly string[], Buffer>()
  const direct = async (source: string, rows: readonly string[]) => {
    const lines = made.get(rows) ?? Buffer.from(rows.join('\n'))
    made.set(rows, lines)
    await node.insert(
      { id: crypto.randomUUID(), source, partition: PARTITION, count: rows.length, pieces: [lines] },
      never,
    )
  }
  await compare(report, 'an embedded engine', options, node, { embedded: 1 }, async () => direct)
}

async function ratesOfServer(
  report: Report,
  name: string,
  options: RatesOptions,
  started: (pid: number) => void = () => undefined,
): Promise<void> {
  const server = await startClickHouse()
  started(server.pid)
  const { url, user, password } = server
  try {
    const node = new ServerNode({ name: 'server-1', url, user, password, logger: silent })
    const nodes = [{ name: 'server-1', url, user, password }]
    await compare(report, name, options, node, { embedded: 0, nodes }, insertsInto(server))
  } finally {
    await server.close()
  }
}

type Insert = (source: string, rows: readonly string[]) => Promise<void>

async function compare(
  report: Report,
  name: string,
  { rounds, blocks }: RatesOptions,
  node: StoreNode,
  kind: { readonly embedded: number; readonly nodes?: readonly object[] },
  prepare: () => Promise<Insert>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-rates-'))
  const gateway = await GatewayProcess.start({ folder: join(folder, 'gateway'), ...kind, isQuiet: true })
  await node.start()
  try {
    const table = (source: string): TableDefinition => ({
      ...{ source, columns: COLUMNS, partition: DEFINITION.partition, orderBy: ['at'] },
    })
    for (const source of ['a/b/direct', 'a/b/pipeline']) await node.define(table(source), never)
    await gateway.api.define('http', DEFINITION)
    const insert = await prepare()
    const rows = Array.from({ length: BLOCK_ROWS }, (_, i) => rowOf(i, instant(i).replace('.000', '')))
    const events = Array.from({ length: BLOCK_ROWS / BATCH_ROWS }, (_, n) => {
      const lines = Buffer.from(rows.slice(n * BATCH_ROWS, (n + 1) * BATCH_ROWS).join('\n'))
      return [{ partition: PARTITION, lines, count: BATCH_ROWS }]
    })
    const bodies = Array.from({ length: BLOCK_ROWS / BATCH_ROWS }, (_, n) => {
      const some = Array.from({ length: BATCH_ROWS }, (_, i) => n * BATCH_ROWS + i)
      return Buffer.from(some.map((i) => rowOf(i, instant(i))).join('\n'))
    })
    const pipeline = await IngestPipeline.start({ spool: await spoolIn(join(folder, 'events')), nodes: [node] })
    const batches = Math.ceil((blocks * BLOCK_ROWS) / BATCH_ROWS)
    const ways = {
      direct: () => inLanes(LANES, blocks, () => insert('a/b/direct', rows)),
      pipeline: () =>
        inLanes(SENDERS, batches, async (i) => {
          const verdict = await pipeline.accept('a/b/pipeline', events[i % events.length] ?? [])
          if (verdict.status !== 202) throw new Error(`refused: ${verdict.reason}`)
          await verdict.written()
        }),
      http: () =>
        inLanes(SENDERS, batches, async (i) => {
          const { status, text } = await gateway.api.send('http', bodies[i % bodies.length] ?? '', true)
          if (status !== 200) throw new Error(`answered ${status}: ${text}`)
        }),
    }
    const took = { direct: [] as number[], pipeline: [] as number[], http: [] as number[] }
    const order = Object.keys(ways) as (keyof typeof ways)[]
    for (let round = 0; round <= rounds; round++) {
      report.progress(`${name}: round ${round} of ${rounds}`)
      // In another order each time: what is slow for a while is not always the same one's.
      for (const way of round % 2 ? order : [...order].reverse()) {
        const sinceMs = performance.now()
        await ways[way]()
        const perSecond = (blocks * BLOCK_ROWS * 1000) / (performance.now() - sinceMs)
        if (round > 0) took[way].push(perSecond) // the first is for warmth
      }
    }
    await pipeline.close()
    for (const way of order) report.figure(`${name}, ${way}: rows a second`, spread(took[way], 0))
    for (const way of ['pipeline', 'http'] as const) {
      const ratios = took[way].map((it, i) => it / (took.direct[i] ?? Number.NaN))
      const isKept = percentile(ratios, 0.5) >= AIM
      report.check(`${name}, ${way}: at least ${AIM} times the rows of direct inserts`, isKept, spread(ratios))
    }
  } finally {
    await gateway.close()
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function spoolIn(folder: string): Promise<Spool> {
  const { mkdir } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  return Spool.open(folder)
}

/** So many at once, until each number below `count` has been done. */
export async function inLanes(lanes: number, count: number, act: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** The blocks that the gateway writes. They are made beforehand, so that nothing but the insert is in its time. */
function insertsInto({ url, user, password }: TestClickHouse): () => Promise<Insert> {
  const agent = new Agent({ keepAlive: true })
  const made = new Map<readonly string[], Buffer>()
  return async () => (source, rows) => {
    const id: Block['id'] = crypto.randomUUID()
    const [tenant, dataset, table] = source.split('/')
    const lines = made.get(rows) ?? Buffer.from(rows.map((row) => `{"_block":"${id}",${row.slice(1)}`).join('\n'))
    made.set(rows, lines)
    const sql = `INSERT INTO s_${tenant}__${dataset}.${table} FORMAT JSONEachRow`
    const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password, 'content-length': lines.length }
    return new Promise((resolve, reject) => {
      const sent = request(
        `${url}/?date_time_input_format=best_effort&query=${encodeURIComponent(sql)}`,
        { method: 'POST', headers, agent },
        (response) => {
          response.resume()
          response.on('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
          )
        },
      )
      sent.on('error', reject)
      sent.end(lines)
    })
  }
}
