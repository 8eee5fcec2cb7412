import { type CheckedTokens, checkTokens, type Plans, type TokenOptions } from './auth/token-options.js'
import { ConfigError } from './config-error.js'
import { checkDatasets } from './datasets/check-datasets.js'
import type { Dataset } from './datasets/dataset.js'
import { flights } from './datasets/flights.js'
import { type BreakerOptions, checkBreaker } from './ingest/breaker-options.js'
import { checkLimit, type GatewayLimitOptions, type LimitConfig } from './limit/limit-config.js'
import { type Logger, silentLogger } from './logger.js'
import type { ServerNodeOptions } from './nodes/server/server-options.js'
import { checkServer } from './nodes/server/server-options.js'
import { fn, list, noOthers, object, text, whole, yesOrNo } from './option-values.js'
import { flightPipes } from './pipes/flights/flight-pipes.js'
import type { Pipe } from './pipes/pipe.js'
import { PipeRegistry } from './pipes/registry.js'
import { checkOrigins } from './server/cors-origins.js'
import type { RouteHandler } from './server/route-handler.js'

/** A ClickHouse server by its URL. */
export type ServerOptions = Omit<ServerNodeOptions, 'logger'>

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
  /**
   * A folder where events are kept until they are written, with the definitions of data sources and pipes. It is made where
   * it is not there, and one gateway has it. Default none: there are no data sources, and pipes cannot be saved.
   */
  readonly spoolDir?: string
  /** Bytes of events of all data sources that may wait to be written; above, events are answered 503 (I5). One tenant has half. Default 4 GiB. */
  readonly maxBacklogBytes?: number
  /** Milliseconds that the oldest of them may wait by no doing of its data source; above, likewise. Default 172 800 000: two days. */
  readonly maxBacklogAgeMs?: number
  /**
   * Milliseconds that a batch that comes soon after another waits at most, to share one fsync with others (I4). Default 5; 0:
   * none waits.
   */
  readonly fsyncIntervalMs?: number
  /** Data sources that one tenant may have, in all its data sets; one more is answered 409. Default 1000. */
  readonly maxDataSources?: number
  /** Pipes that one tenant may have saved, likewise. Default 1000. */
  readonly maxPipes?: number
  /** Engines that the gateway hosts. Default 1, or 0 where there are `nodes`. */
  readonly embedded?: number
  /** ClickHouse servers, beside the engines that are embedded. Default none. */
  readonly nodes?: readonly ServerOptions[]
  /** False: no data source is protected from another. For measurements alone. Default true. */
  readonly isolation?: boolean
  /** Thresholds of each data source's breaker (I2). Default: those of the rule. */
  readonly breaker?: BreakerOptions
  /**
   * Milliseconds that an answer waits for a write: with `wait=true` before it is 504, and that a backlog is paused, for what is
   * under way. Default 10 000.
   */
  readonly writeTimeoutMs?: number
  /** Saved queries that every tenant has. Default: those over the flights, where an engine is embedded that has them. */
  readonly pipes?: readonly Pipe[]
  /** Tables that an embedded engine fills at its start. Default: the flights. */
  readonly datasets?: readonly Dataset[]
  /**
   * Where the engine keeps its files; they stay. A second one has the same with `-2` behind it. Default: within `spoolDir`,
   * or else a temporary folder that is removed at the end.
   */
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

type Optional = 'tokens' | 'plans' | 'pipes' | 'dataDir' | 'spoolDir' | 'consoleDir' | 'limit' | 'record'

/** Options with every default in place. */
export interface CheckedOptions extends Required<Omit<GatewayOptions, Optional>> {
  readonly tokens: CheckedTokens
  readonly pipes: PipeRegistry
  readonly dataDir: string | undefined
  readonly spoolDir: string | undefined
  readonly record: string | undefined
  readonly consoleDir: string | undefined
  readonly limit: LimitConfig
}

const SESSIONS = 8
const MAX_SESSIONS = 256
const [MIB, GIB, DAY_MS] = [1_048_576, 1_073_741_824, 86_400_000]

/** @throws ConfigError */
export function checkOptions(options: GatewayOptions): CheckedOptions {
  const { tokens, plans, limit = {}, breaker = {} } = object('(all of it)', options, '{ tokens: [{ name, token }] }')
  const { maxConcurrent = SESSIONS } = object('limit', limit, '{ maxConcurrent: 8 }')
  // More than there can be sessions would wait for one where no limit sees it.
  if (maxConcurrent > MAX_SESSIONS) whole('limit.maxConcurrent', maxConcurrent, 1, MAX_SESSIONS)
  // One that is no whole number is refused below, by its own name.
  const most = Number.isInteger(maxConcurrent) ? Math.max(SESSIONS, maxConcurrent) : SESSIONS
  const nodes = list('nodes', options.nodes ?? [], 'object')
  const embedded = whole('embedded', options.embedded ?? (nodes.length > 0 ? 0 : 1), 0, 16)
  const pipes = new PipeRegistry(list('pipes', options.pipes ?? (embedded > 0 ? flightPipes : []), 'object'))
  const sessions = whole(
    'sessions',
    options.sessions ?? Math.min(most + pipes.pastLimit, MAX_SESSIONS),
    1,
    MAX_SESSIONS,
  )
  const slots = options.sessions ?? most
  const maxWaiting = whole('maxWaiting', options.maxWaiting ?? 256, 0, 100_000)
  const checked: CheckedOptions = {
    tokens: checkTokens(plans === undefined ? { tokens } : { tokens, plans }, 'options'),
    host: text('host', options.host ?? '127.0.0.1', '127.0.0.1'),
    port: whole('port', options.port ?? 0, 0, 65_535),
    pipes,
    datasets: checkDatasets(list('datasets', options.datasets ?? [flights], 'object')),
    ...pathsOf(options),
    maxBacklogBytes: whole('maxBacklogBytes', options.maxBacklogBytes ?? 4 * GIB, MIB, Number.MAX_SAFE_INTEGER),
    maxBacklogAgeMs: whole('maxBacklogAgeMs', options.maxBacklogAgeMs ?? 2 * DAY_MS, 60_000, 10_000 * DAY_MS),
    fsyncIntervalMs: whole('fsyncIntervalMs', options.fsyncIntervalMs ?? 5, 0, 1000),
    maxDataSources: whole('maxDataSources', options.maxDataSources ?? 1000, 0, 100_000),
    maxPipes: whole('maxPipes', options.maxPipes ?? 1000, 0, 100_000),
    embedded,
    nodes: checkNodes(nodes, embedded),
    isolation: yesOrNo('isolation', options.isolation ?? true),
    breaker: checkBreaker(breaker),
    writeTimeoutMs: whole('writeTimeoutMs', options.writeTimeoutMs ?? 10_000, 1, 3_600_000),
    routes: checkRoutes(object('routes', options.routes ?? {}, "{ '/demo/surge': (request) => Response.json({}) }")),
    readTimeoutMs: whole('readTimeoutMs', options.readTimeoutMs ?? 10_000, 1, 3_600_000),
    sessions,
    maxWaiting,
    maxStreamsPerToken: whole('maxStreamsPerToken', options.maxStreamsPerToken ?? 10, 0, 100_000),
    maxStreams: whole('maxStreams', options.maxStreams ?? 1000, 0, 100_000),
    limit: checkLimit(limit, { maxConcurrent: slots, maxQueue: maxWaiting }),
    shutdownGraceMs: whole('shutdownGraceMs', options.shutdownGraceMs ?? 5000, 0, 3_600_000),
    corsOrigins: checkOrigins(list('corsOrigins', options.corsOrigins ?? [], 'string')),
    logger: checkLogger(options.logger ?? silentLogger),
    nowMs: fn('nowMs', options.nowMs ?? (() => performance.now()), 'that tells steady milliseconds'),
  }
  noOthers('', options, [...Object.keys(checked), 'plans'])
  return checked
}

function checkLogger(logger: Logger): Logger {
  const { info, warn, error } = object('logger', logger, '{ info, warn, error }')
  for (const [name, it] of Object.entries({ info, warn, error })) fn(`logger.${name}`, it, 'that takes a message')
  return logger
}

const PATHS = {
  spoolDir: '/var/lib/sluice',
  dataDir: '/var/lib/sluice/engines',
  record: 'trace.ndjson',
  consoleDir: 'apps/console/dist',
} as const

/** What is on disk, each by itself: none has a default. */
function pathsOf(options: GatewayOptions): Record<keyof typeof PATHS, string | undefined> {
  const path = (field: keyof typeof PATHS) => {
    const given = options[field] ?? undefined
    return given === undefined ? undefined : text(field, given, PATHS[field])
  }
  return {
    spoolDir: path('spoolDir'),
    dataDir: path('dataDir'),
    record: path('record'),
    consoleDir: path('consoleDir'),
  }
}

/** By their names blocks are looked for after a restart, so each has its own. */
function checkNodes(nodes: readonly ServerOptions[], embedded: number): readonly ServerOptions[] {
  const names = new Set(embeddedNames(embedded))
  if (nodes.length + embedded === 0)
    throw new ConfigError('options', 'embedded', 'is 0, and there are no nodes; a gateway needs one at least')
  for (const [i, node] of nodes.entries()) {
    checkServer({ ...node, logger: silentLogger }, `nodes.${i}`)
    if (names.has(node.name))
      throw new ConfigError('options', `nodes.${i}.name`, `"${node.name}" is there twice; give each node its own`)
    names.add(node.name)
  }
  return nodes
}

/** What the engines that a gateway hosts are called. */
export function embeddedNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `clickhouse-${i + 1}`)
}

/** One that is the API's own would hide that. */
function checkRoutes(routes: NonNullable<GatewayOptions['routes']>): NonNullable<GatewayOptions['routes']> {
  for (const [path, handler] of Object.entries(routes)) {
    if (typeof handler !== 'function')
      throw new ConfigError('options', `routes.${path}`, 'is no function; give it one that answers a Request')
    if (!/^(\/[a-z0-9-]+)+$/.test(path) || /^\/(v1|assets|healthz|readyz|metrics)(\/|$)/.test(path))
      throw new ConfigError('options', `routes.${path}`, 'is taken or is no path; name one such as /demo/surge')
  }
  return routes
}
