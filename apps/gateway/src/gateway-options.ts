import { type CheckedTokens, checkTokens, type Plans, type TokenOptions } from './auth/token-options.js'
import { ConfigError } from './config-error.js'
import type { Dataset } from './datasets/dataset.js'
import { flights } from './datasets/flights.js'
import { checkLimit, type GatewayLimitOptions, type LimitConfig } from './limit/limit-config.js'
import { type Logger, silentLogger } from './logger.js'
import { flightPipes } from './pipes/flights/flight-pipes.js'
import type { Pipe } from './pipes/pipe.js'
import { PipeRegistry } from './pipes/registry.js'
import type { RouteHandler } from './server/route-handler.js'

/** How a gateway is started. */
export interface GatewayOptions {
  /** Who may ask; at least one. */
  readonly tokens: readonly TokenOptions[]
  /** Quotas by name. `default` (5 a second, 10 at once) is there without being given and may be replaced. */
  readonly plans?: Plans
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: any free one. */
  readonly port?: number
  /** Saved queries. Default: those over the flights. */
  readonly pipes?: readonly Pipe[]
  /** Tables to fill at the start. Default: the flights. */
  readonly datasets?: readonly Dataset[]
  /** Where the engine keeps its files; they stay. Default: a temporary folder that is removed at the end. */
  readonly dataDir?: string
  /** Milliseconds after which a read is killed and answered 504. Default 10 000. */
  readonly readTimeoutMs?: number
  /**
   * Queries that the engine runs side by side. Default 8, or `limit.maxConcurrent` where that is more, and one for each
   * pipe past the limit (256 at most).
   */
  readonly sessions?: number
  /** Queries that may wait for a slot, or for a session, before one more is answered 429. Default 256. */
  readonly maxWaiting?: number
  /** Streams of the status that one token may have open before one more is answered 429. Default 10. */
  readonly maxStreamsPerToken?: number
  /** The same of all tokens together. Default 1000. */
  readonly maxStreams?: number
  /** The adaptive limit before the engine. */
  readonly limit?: GatewayLimitOptions
  /** A file that gets a line for each report to the limiter, to be replayed; begun again at each start. Default none. */
  readonly record?: string
  /** A folder with a built page (apps/console/dist) that is shown at `/`. Default none. */
  readonly consoleDir?: string
  /**
   * Further routes by their paths, all methods of them, behind a token but past the quota: for whoever runs the gateway in
   * a program of theirs. No part of the API. Default none.
   */
  readonly routes?: Readonly<Record<string, RouteHandler>>
  /** Milliseconds that requests in flight get to finish when the gateway closes. Default 5 000. */
  readonly shutdownGraceMs?: number
  /** Origins whose pages may call, or `*`. Default none: no CORS headers at all. */
  readonly corsOrigins?: readonly string[]
  /** Default: silent. */
  readonly logger?: Logger
  /** Steady milliseconds for quotas and durations. Default `performance.now`. */
  readonly nowMs?: () => number
}

/** Options with every default in place. */
export interface CheckedOptions
  extends Required<Omit<GatewayOptions, 'tokens' | 'plans' | 'pipes' | 'dataDir' | 'consoleDir' | 'limit' | 'record'>> {
  readonly tokens: CheckedTokens
  readonly pipes: PipeRegistry
  readonly dataDir: string | undefined
  readonly record: string | undefined
  readonly consoleDir: string | undefined
  readonly limit: LimitConfig
}

const SESSIONS = 8
const MAX_SESSIONS = 256

/** @throws ConfigError */
export function checkOptions(options: GatewayOptions): CheckedOptions {
  const { tokens, plans, limit = {} } = options
  if (typeof limit !== 'object' || limit === null || Array.isArray(limit))
    throw new ConfigError('options', 'limit', `is ${JSON.stringify(limit)}; it must be an object: { maxConcurrent: 8 }`)
  const { maxConcurrent = SESSIONS } = limit
  // More than there can be sessions would wait for one where no limit sees it.
  if (maxConcurrent > MAX_SESSIONS) whole('limit.maxConcurrent', maxConcurrent, 1, MAX_SESSIONS)
  // One that is no whole number is refused below, by its own name.
  const most = Number.isInteger(maxConcurrent) ? Math.max(SESSIONS, maxConcurrent) : SESSIONS
  const pipes = new PipeRegistry(options.pipes ?? flightPipes)
  const sessions = whole(
    'sessions',
    options.sessions ?? Math.min(most + pipes.pastLimit, MAX_SESSIONS),
    1,
    MAX_SESSIONS,
  )
  const slots = options.sessions ?? most
  const maxWaiting = whole('maxWaiting', options.maxWaiting ?? 256, 0, 100_000)
  return {
    tokens: checkTokens(plans === undefined ? { tokens } : { tokens, plans }, 'options'),
    host: options.host ?? '127.0.0.1',
    port: whole('port', options.port ?? 0, 0, 65_535),
    pipes,
    datasets: options.datasets ?? [flights],
    dataDir: options.dataDir,
    record: options.record,
    consoleDir: options.consoleDir,
    routes: checkRoutes(options.routes ?? {}),
    readTimeoutMs: whole('readTimeoutMs', options.readTimeoutMs ?? 10_000, 1, 3_600_000),
    sessions,
    maxWaiting,
    maxStreamsPerToken: whole('maxStreamsPerToken', options.maxStreamsPerToken ?? 10, 0, 100_000),
    maxStreams: whole('maxStreams', options.maxStreams ?? 1000, 0, 100_000),
    limit: checkLimit(limit, { maxConcurrent: slots, maxQueue: maxWaiting }),
    shutdownGraceMs: whole('shutdownGraceMs', options.shutdownGraceMs ?? 5000, 0, 3_600_000),
    corsOrigins: options.corsOrigins ?? [],
    logger: options.logger ?? silentLogger,
    nowMs: options.nowMs ?? (() => performance.now()),
  }
}

/** One that is the API's own would hide that. */
function checkRoutes(routes: NonNullable<GatewayOptions['routes']>): NonNullable<GatewayOptions['routes']> {
  for (const path of Object.keys(routes)) {
    if (!/^(\/[a-z0-9-]+)+$/.test(path) || /^\/(v1|assets|healthz)(\/|$)/.test(path))
      throw new ConfigError('options', `routes.${path}`, 'is taken or is no path; name one such as /demo/surge')
  }
  return routes
}

function whole(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigError('options', field, `is ${value}; it must be a whole number from ${min} to ${max}`)
}
