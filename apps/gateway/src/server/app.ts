import { type Context, type Handler, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { TokenStore } from '../auth/token-store.js'
import type { LimitedNode } from '../limit/limited-node.js'
import type { Logger } from '../logger.js'
import type { QueryNode } from '../nodes/node.js'
import type { PipeRegistry } from '../pipes/registry.js'
import type { QuotaStore } from '../quota/quota-store.js'
import type { StatusFeed } from '../status/status-feed.js'
import type { StreamPlaces } from '../status/stream-places.js'
import { accessLog } from './access-log.js'
import { answerError } from './answer-error.js'
import type { Body } from './contract.js'
import { enforceQuota } from './enforce-quota.js'
import type { GatewayEnv } from './env.js'
import { healthz } from './healthz.js'
import { limitBody } from './limit-body.js'
import { problem } from './problem.js'
import { refuseWhenClosing } from './refuse-when-closing.js'
import { requireToken } from './require-token.js'
import type { RouteHandler } from './route-handler.js'
import { runPipe } from './run-pipe.js'
import { streamStatus } from './stream-status.js'

/** What the routes are made of. */
export interface AppOptions {
  /** For health, which needs no slot. */
  readonly node: QueryNode
  /** The same node behind its limiter, for queries. */
  readonly limited: LimitedNode
  readonly status: StatusFeed
  readonly streams: StreamPlaces
  readonly tokens: TokenStore
  readonly quotas: QuotaStore
  readonly pipes: PipeRegistry
  readonly readTimeoutMs: number
  /** The files of the console by their paths, for anybody: its token is asked for in it. */
  readonly page: ReadonlyMap<string, Handler<GatewayEnv>>
  /** What no part of the API is, behind a token and past the quota. */
  readonly routes: Readonly<Record<string, RouteHandler>>
  readonly corsOrigins: readonly string[]
  readonly logger: Logger
  readonly nowMs: () => number
  /** True once the gateway is closing. */
  readonly closing: () => boolean
}

/** The only methods there are: nothing can be changed from outside yet. */
const ALLOW = 'GET, HEAD, OPTIONS'
const ROUTES = ['/healthz', '/v1/pipes', '/v1/pipes/:name', '/v1/status', '/v1/status/stream'] as const

/** All routes, outermost concern first: log, CORS, closing, body, and behind /v1 token and quota; each query then has its slot. */
export function createApp(options: AppOptions): Hono<GatewayEnv> {
  const { node, tokens, quotas, pipes, status, corsOrigins, logger, nowMs } = options
  const app = new Hono<GatewayEnv>()
  app.use('*', accessLog(logger, nowMs))
  if (corsOrigins.length > 0) {
    app.use(
      '*',
      cors({
        origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
        allowMethods: ['GET', 'HEAD'],
        allowHeaders: ['Authorization'],
        // Without these a page on another origin cannot read how long to wait.
        exposeHeaders: ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'Server-Timing'],
        maxAge: 600,
      }),
    )
  }
  app.use('*', refuseWhenClosing(options.closing))
  app.use('*', limitBody)
  const fixed = [...ROUTES, ...options.page.keys()]
  for (const route of fixed) app.options(route, (c) => c.body(null, 204, { Allow: ALLOW }))
  app.get('/healthz', healthz(node))

  app.use('/v1/*', requireToken(tokens), enforceQuota(quotas))
  app.get('/v1/pipes', (c) => c.json({ pipes: pipes.list() } satisfies Body['PipeList']))
  app.get('/v1/pipes/:name', (c) => runPipe(c, c.req.param('name'), options))
  app.get('/v1/status', (c) => c.json(status.now(), 200, { 'cache-control': 'no-store' }))
  app.get('/v1/status/stream', (c) => streamStatus(c, status, options.streams))

  for (const [path, handler] of Object.entries(options.routes))
    app.all(path, requireToken(tokens), (c) => handler(c.req.raw))
  for (const [path, file] of options.page) app.get(path, file)
  for (const route of fixed) app.all(route, methodNotAllowed)
  app.notFound((c) => unknownRoute(c, options.page.has('/')))
  app.onError((error, c) => answerError(error, c, logger))
  return app
}

function unknownRoute(c: Context<GatewayEnv>, hasPage: boolean): Response {
  const routes = [...(hasPage ? ['/'] : []), ...ROUTES]
  const nothing =
    c.req.path === '/'
      ? 'This gateway shows no console: it was started without --console (or consoleDir).'
      : 'Nothing is here.'
  return problem(c, {
    status: 404,
    kind: 'unknown-route',
    title: 'Not found',
    detail: `${nothing} There are: ${routes.map((route) => `GET ${route.replace(':name', '{name}')}`).join(', ')}.`,
  })
}

function methodNotAllowed(c: Context<GatewayEnv>): Response {
  return problem(c, {
    status: 405,
    kind: 'method-not-allowed',
    title: 'Method not allowed',
    detail: `${c.req.method} is not possible here; use GET.`,
    headers: { Allow: ALLOW },
  })
}
