import type { Clock } from '@sluice/core'
import type { Context } from 'hono'
import type { TokenStore } from '../auth/token-store.js'
import type { Ingest } from '../ingest/ingest.js'
import type { GatewayNode } from '../limit/gateway-nodes.js'
import type { Logger } from '../logger.js'
import type { Metrics } from '../metrics/metrics.js'
import type { NoticeBoard } from '../notices/notice-board.js'
import type { NoticeFeed } from '../notices/notice-feed.js'
import type { PipeBook } from '../pipes/pipe-book.js'
import type { StatusFeed } from '../status/status-feed.js'
import { StreamPlaces } from '../status/stream-places.js'
import { viewerOf } from '../status/viewer.js'
import { backlog, dropBacklog, exportBacklog, liftLimit, putRoute } from './backlog-routes.js'
import {
  deleteDataSource,
  getDataSource,
  listDataSources,
  listQuarantine,
  putDataSource,
  sourceFor,
} from './data-source-routes.js'
import type { GatewayEnv } from './env.js'
import { healthz } from './healthz.js'
import { listNotices, streamNotices } from './notice-routes.js'
import { openStream } from './open-stream.js'
import { KEEPING, type OperationId } from './operations.js'
import { deletePipe, listPipes, putPipe, runPipe } from './pipe-routes.js'
import { readQuery } from './query-parameters.js'
import { BodyBudget } from './read-body.js'
import { readyz } from './readyz.js'
import { requireOperator } from './require-scope.js'
import { SendEvents, type SendEventsOptions } from './send-events.js'

/** What operations are made of. */
export interface HandlersOptions {
  readonly nodes: readonly GatewayNode[]
  /** Undefined: the gateway keeps nothing, so it has no data sources and saves no pipes. */
  readonly ingest: Ingest | undefined
  readonly board: NoticeBoard
  readonly notices: NoticeFeed
  readonly status: StatusFeed
  readonly streams: StreamPlaces
  readonly metrics: Metrics
  readonly tokens: TokenStore
  readonly pipes: PipeBook
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly logger: Logger
  readonly clock: Clock
}

export type OperationHandler = (c: Context<GatewayEnv>) => Response | Promise<Response>

/** Bytes of bodies that are in memory at once. */
const BODIES_BYTES = 256 * 1024 * 1024
/** Exports of backlogs that are open at once: each holds as much as one block has, 8 MiB at most, while its client reads slowly. */
const EXPORTS = { perToken: 2, perTenant: 4, inAll: 16 }

const nameIn = (c: Context<GatewayEnv>): string => c.req.param('name') ?? ''

/** What answers each operation that this gateway has. */
export function handlersOf(options: HandlersOptions): ReadonlyMap<OperationId, OperationHandler> {
  const { ingest, board, notices, status, streams, metrics, logger } = options
  const budget = new BodyBudget(BODIES_BYTES)
  const onTaken: SendEventsOptions['onTaken'] = (source, it) => metrics.taken(source, it.accepted, it.quarantined)
  const events = new SendEvents({ ...options, budget, onTaken })
  const onPipes = { ...options, budget }
  const exports = new StreamPlaces(EXPORTS)
  const onBacklog = { ingest, budget, exports, logger, writeTimeoutMs: options.writeTimeoutMs }
  const plain = options.nodes.map(({ node }) => node)
  const health = healthz(plain)
  const all: Record<OperationId, OperationHandler> = {
    getHealth: health,
    getReadiness: (c) => readyz(c, plain, ingest),
    getMetrics: async (c) => {
      requireOperator(c.var.token)
      return c.body(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
    listPipes: (c) => listPipes(c, onPipes),
    runPipe: (c) => runPipe(c, nameIn(c), onPipes),
    putPipe: (c) => putPipe(c, nameIn(c), onPipes),
    deletePipe: (c) => deletePipe(c, nameIn(c), onPipes),
    getStatus: (c) => {
      readQuery(c, {})
      return c.json(status.now(viewerOf(c.var.token, c.var.namespace)), 200, { 'cache-control': 'no-store' })
    },
    streamStatus: (c) => {
      readQuery(c, {})
      return openStream(c, streams, (place) => status.follow(place, viewerOf(c.var.token, c.var.namespace)))
    },
    listNotices: (c) => listNotices(c, board),
    streamNotices: (c) => streamNotices(c, board, notices, streams),
    listDataSources: (c) => listDataSources(c, ingest),
    getDataSource: (c) => getDataSource(c, ingest, nameIn(c)),
    putDataSource: (c) => putDataSource(c, ingest as Ingest, nameIn(c), budget), // without ingest it is left out below
    deleteDataSource: (c) => deleteDataSource(c, ingest, nameIn(c), options),
    sendEvents: (c) => {
      const it = sourceFor(c, ingest, nameIn(c), 'write')
      return events.handle(c, it.ingest, it.source)
    },
    listQuarantine: (c) => listQuarantine(c, ingest, nameIn(c)),
    getBacklog: (c) => backlog(c, onBacklog, nameIn(c)),
    pauseBacklog: (c) => backlog(c, onBacklog, nameIn(c), 'pause'),
    resumeBacklog: (c) => backlog(c, onBacklog, nameIn(c), 'resume'),
    exportBacklog: (c) => exportBacklog(c, onBacklog, nameIn(c)),
    dropBacklog: (c) => dropBacklog(c, onBacklog, nameIn(c)),
    putRoute: (c) => putRoute(c, onBacklog, nameIn(c)),
    liftLimit: (c) => liftLimit(c, onBacklog, nameIn(c)),
  }
  const ids = Object.keys(all) as OperationId[] // the record has no others
  return new Map(ids.filter((id) => ingest !== undefined || !KEEPING.has(id)).map((id) => [id, all[id]]))
}
