import { type Context, type Handler, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { TokenQuotas } from '../quota/token-quotas.js'
import { Shares } from '../shares.js'
import { accessLog } from './access-log.js'
import { answerError } from './answer-error.js'
import { boundRequests } from './bound-requests.js'
import { countRequests } from './count-requests.js'
import { enforceQuota } from './enforce-quota.js'
import type { GatewayEnv } from './env.js'
import { type HandlersOptions, handlersOf } from './handlers.js'
import { MAX_CONNECTIONS } from './http-server.js'
import { limitBody } from './limit-body.js'
import { readNamespace } from './namespace.js'
import { allowedAt, KEEPING, OPERATIONS, operationOf } from './operations.js'
import { problem } from './problem.js'
import { KEEPS_NOTHING } from './refusal.js'
import { refuseWhenClosing } from './refuse-when-closing.js'
import { requireToken } from './require-token.js'
import type { RouteHandler } from './route-handler.js'

/** What the routes are made of. */
export interface AppOptions extends HandlersOptions {
  readonly quotas: TokenQuotas
  /** The files of the console by their paths, for anybody: its token is asked for in it. */
  readonly page: ReadonlyMap<string, Handler<GatewayEnv>>
  /** What no part of the API is, behind a token and past the quota. */
  readonly routes: Readonly<Record<string, RouteHandler>>
  readonly corsOrigins: readonly string[]
  readonly nowMs: () => number
  /** True once the gateway is closing. */
  readonly closing: () => boolean
}

/** Of the console: it is read, and nothing else. */
const READ = 'GET, HEAD, OPTIONS'
const SENT = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Dataset-ID', 'X-Tenant-ID']

/**
 * All routes, outermost concern first: log, metrics, CORS, closing, body, and behind /v1 token, quota and namespace; each
 * query then has its slot.
 */
export function createApp(options: AppOptions): Hono<GatewayEnv> {
  const { tokens, quotas, corsOrigins, logger, nowMs, metrics } = options
  const app = new Hono<GatewayEnv>()
  app.use('*', accessLog(logger, nowMs), countRequests(metrics, nowMs))
  if (corsOrigins.length > 0) {
    app.use(
      '*',
      cors({
        origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
        allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
        allowHeaders: SENT,
        // Without these a page on another origin cannot read how long to wait.
        exposeHeaders: ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'Server-Timing'],
        maxAge: 600,
      }),
    )
  }
  app.use('*', refuseWhenClosing(options.closing))
  app.use('*', limitBody)
  const handlers = handlersOf(options)
  const pages = [...options.page.keys()].map((path) => [path, READ] as const)
  const fixed = [...allowedAt([...handlers.keys()]), ...pages]
  for (const [path, allow] of fixed) app.options(path, (c) => c.body(null, 204, { Allow: allow }))

  const bound = boundRequests(new Shares({ perOwner: MAX_CONNECTIONS / 4, inAll: MAX_CONNECTIONS }))
  app.use('/metrics', requireToken(tokens), enforceQuota(quotas), bound)
  app.use('/v1/*', requireToken(tokens), enforceQuota(quotas), bound, readNamespace)
  for (const [id, handler] of handlers) app.on(OPERATIONS[id].method, OPERATIONS[id].path, handler)

  for (const [path, handler] of Object.entries(options.routes))
    app.all(path, requireToken(tokens), (c) => handler(c.req.raw))
  for (const [path, file] of options.page) app.get(path, file)
  const keeps = options.ingest !== undefined
  for (const [path, allow] of fixed) app.all(path, (c) => methodNotAllowed(c, allow, keeps))
  app.notFound((c) => unknownRoute(c, fixed, options.page.has('/')))
  app.onError((error, c) => answerError(error, c, logger))
  return app
}

function unknownRoute(c: Context<GatewayEnv>, all: readonly (readonly [string, string])[], hasPage: boolean): Response {
  const read = all.filter(([path, allow]) => allow.startsWith('GET') && (path === '/' || !path.startsWith('/assets/')))
  const routes = [...(hasPage ? ['/'] : []), ...read.map(([path]) => path).filter((path) => path !== '/')]
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

function methodNotAllowed(c: Context<GatewayEnv>, allow: string, keeps: boolean): Response {
  const isForKept = !keeps && KEEPING.has(operationOf(c.req.method, c.req.path) ?? '')
  const methods = allow.split(', ').filter((it) => it !== 'HEAD' && it !== 'OPTIONS')
  return problem(c, {
    status: 405,
    kind: 'method-not-allowed',
    title: 'Method not allowed',
    detail: `${c.req.method} is not possible here${isForKept ? `: ${KEEPS_NOTHING}` : `; use ${methods.join(' or ')}.`}`,
    headers: { Allow: allow },
  })
}
