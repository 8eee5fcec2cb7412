import { systemClock } from '@sluice/core'
import { TokenStore } from './auth/token-store.js'
import { checkOptions, type GatewayOptions } from './gateway-options.js'
import { LimitedNode } from './limit/limited-node.js'
import { logLimit } from './limit/log-limit.js'
import { NodeLimiter } from './limit/node-limiter.js'
import { TraceFile } from './limit/trace-file.js'
import { traceHead, traceLine } from './limit/trace-lines.js'
import { EmbeddedNode } from './nodes/embedded/embedded-node.js'
import { QuotaStore } from './quota/quota-store.js'
import { createApp } from './server/app.js'
import { listen } from './server/http-server.js'
import { readPage } from './server/static-page.js'
import { conditionReader } from './status/read-status.js'
import { StatusFeed } from './status/status-feed.js'
import { StreamPlaces } from './status/stream-places.js'

/** A gateway that runs. */
export interface Gateway {
  /** Where it answers, without a slash at the end: `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /**
   * Stops accepting, lets requests in flight finish (`shutdownGraceMs` at most), ends the engine and removes its
   * temporary files. May be called again: it is the same closing.
   */
  close(): Promise<void>
}

/**
 * Starts a gateway over ClickHouse inside a child process and resolves once it answers queries.
 *
 * @throws ConfigError (`code: 'BAD_CONFIG'`) for an option that cannot be used
 * @throws AddressInUseError (`code: 'EADDRINUSE'`) for a port that is taken
 * @throws EngineStartError (`code: 'ENGINE_MISSING'` where chdb is not installed, else `'ENGINE_FAILED'`)
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const checked = checkOptions(options)
  const { host, logger, nowMs, tokens, pipes, readTimeoutMs, corsOrigins, shutdownGraceMs } = checked
  const { dataDir, sessions, maxWaiting, datasets } = checked
  const node = new EmbeddedNode({ sessions, maxWaiting, datasets, logger, ...(dataDir !== undefined && { dataDir }) })
  let trace: TraceFile | undefined
  const nodeLimiter = new NodeLimiter(checked.limit, systemClock, (report) => trace?.write(traceLine(report)))
  const { semaphore: limiter, createdAtMs } = nodeLimiter
  const limited = new LimitedNode(node, nodeLimiter, checked.limit.limit.queueTimeoutMs)
  const { limit, expectedP90Ms } = checked.limit
  const { controller, maxConcurrent, windowMs, latencyControl } = limit
  logLimit(limiter, node.name, logger)
  const status = new StatusFeed(conditionReader([{ node, limiter, limited, options: limit }], systemClock), systemClock)
  let closed: Promise<void> | undefined
  const app = createApp({
    node,
    limited,
    status,
    streams: new StreamPlaces({ perToken: checked.maxStreamsPerToken, inAll: checked.maxStreams }),
    tokens: new TokenStore(tokens),
    quotas: new QuotaStore({ nowMs }),
    pipes,
    readTimeoutMs,
    page: checked.consoleDir === undefined ? new Map() : readPage(checked.consoleDir),
    routes: checked.routes,
    corsOrigins,
    logger,
    nowMs,
    closing: () => closed !== undefined,
  })

  // The port first: that it is taken should be known before an engine is started, or a trace is begun again.
  const server = await listen(app, host, checked.port)
  try {
    if (checked.record !== undefined) {
      trace = await TraceFile.open(checked.record, logger)
      trace.write(traceHead(checked.limit, createdAtMs))
    }
    await node.start()
  } catch (error) {
    await Promise.all([server.close(0), trace?.close()])
    throw error
  }

  const url = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`
  logger.info('adaptive limit', {
    node: node.name,
    controller,
    maxConcurrent,
    windowMs,
    expectedP90Ms,
    latencyBackoff: latencyControl,
  })
  logger.info('gateway ready', { url })
  const close = async () => {
    status.close() // its streams end by themselves only when their clients leave
    await server.close(shutdownGraceMs)
    limiter.dispose()
    await node.close()
    await trace?.close()
    logger.info('gateway closed')
  }
  return {
    url,
    port: server.port,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
