import { systemClock } from '@sluice/core'
import { TokenStore } from './auth/token-store.js'
import { Ending, LEAST_DISK_MS } from './ending.js'
import { type CheckedOptions, checkOptions, type GatewayOptions } from './gateway-options.js'
import { stateOf } from './ingest/describe-source.js'
import type { Ingest } from './ingest/ingest.js'
import type { LimitReport } from './limit/node-limiter.js'
import { TraceFile } from './limit/trace-file.js'
import { traceHead, traceLine } from './limit/trace-lines.js'
import { type MadeNode, makeNodes } from './make-nodes.js'
import { Metrics } from './metrics/metrics.js'
import { NoticeFeed } from './notices/notice-feed.js'
import { openState } from './open-state.js'
import { TokenQuotas } from './quota/token-quotas.js'
import { createApp } from './server/app.js'
import { type HttpServer, listen } from './server/http-server.js'
import { readPage } from './server/static-page.js'
import { usingFolder } from './state/using-folder.js'
import { conditionReader, type ReadSources } from './status/read-status.js'
import { StatusFeed } from './status/status-feed.js'
import { type StreamLimits, StreamPlaces } from './status/stream-places.js'

/** A gateway that runs. */
export interface Gateway {
  /** Where it answers, without a slash at the end: `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /**
   * Stops accepting, lets requests in flight finish (`shutdownGraceMs` at most), writes what was accepted and can be
   * written, ends the engines and removes their temporary files. A disk that hangs holds it up no longer than that: what it
   * had not taken is told, and its folder stays locked until this process ends. May be called again: it is the same closing.
   */
  close(): Promise<void>
  /** Whether something had not ended when {@link close} did: `process.exit()` would wait for that. */
  hangs(): boolean
}

const clock = systemClock
/** An engine that does not end is killed after two seconds, and then its files are removed. */
const ENGINES_MS = 4000

/**
 * Starts a gateway and resolves once it answers queries and takes events.
 *
 * @throws ConfigError (`code: 'BAD_CONFIG'`) for an option that cannot be used
 * @throws AddressInUseError (`code: 'EADDRINUSE'`) for a port that is taken
 * @throws ListenError (`code` as the system has it: `'EADDRNOTAVAIL'`) for a host or port that is not to be had
 * @throws EngineStartError (`code: 'ENGINE_MISSING'` where chdb is not installed, else `'ENGINE_FAILED'`)
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const checked = checkOptions(options)
  const { host, logger, nowMs, shutdownGraceMs } = checked
  let trace: TraceFile | undefined
  const nodes = makeNodes(checked, clock, (report: LimitReport) => trace?.write(traceLine(report)))
  const page = await pageOf(checked.consoleDir)
  const tokens = new TokenStore(checked.tokens)
  const state = await openState(checked, nodes, clock)
  const { board, watch, pipes, ingest } = state
  const read = conditionReader(nodes, clock, sourcesOf(ingest))
  const status = new StatusFeed(read, clock)
  const notices = new NoticeFeed(board, clock)
  let closed: Promise<void> | undefined
  const app = createApp({
    ...{ nodes, ingest, board, notices, status, pipes, tokens, page, clock, logger, nowMs },
    metrics: new Metrics({ nodes, ingest, wallNow: () => clock.wallNow() }),
    streams: new StreamPlaces(streamLimits(checked)),
    quotas: new TokenQuotas(checked.tokens, nowMs),
    readTimeoutMs: checked.readTimeoutMs,
    writeTimeoutMs: checked.writeTimeoutMs,
    routes: checked.routes,
    corsOrigins: checked.corsOrigins,
    closing: () => closed !== undefined,
  })

  let server: HttpServer | undefined
  try {
    // The port first: that it is taken should be known before an engine is started, or a trace is begun again.
    server = await listen(app, host, checked.port)
    if (checked.record !== undefined) {
      trace = await TraceFile.open(checked.record, logger)
      trace.write(traceHead(checked.limit, nodes[0]?.createdAtMs ?? 0))
    }
    await startNodes(nodes)
    await ingest?.start()
  } catch (error) {
    await server?.close(0)
    const ending = new Ending(clock, logger)
    await state.close(0, ending).catch(() => undefined) // what went wrong first is told
    await Promise.allSettled([...nodes.map(({ node }) => node.close()), trace?.close()])
    if (!ending.isLate) await state.unlock()
    throw error
  }

  const url = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`
  for (const { node } of nodes) logHow(node.name, checked)
  logger.info('gateway ready', { url })
  const listening = server
  watch.start()
  const ending = new Ending(clock, logger)
  const close = async () => {
    for (const feed of [status, notices]) feed.close() // their streams end by themselves only when their clients leave
    watch.close()
    try {
      // Both at once: requests that wait for their write are answered when it is done, and what comes is refused already.
      await Promise.all([state.close(shutdownGraceMs, ending), listening.close(shutdownGraceMs)])
    } finally {
      // Whatever the disk said: an engine that is left behind would keep its folder, and this process from ending.
      for (const { limiter } of nodes) limiter.dispose()
      await ending.inTime('engines', ENGINES_MS, Promise.all(nodes.map(({ node }) => node.close())))
      // What may be written there yet must not meet what another process writes: that one has it once this one has ended.
      const unlocked = ending.isLate ? undefined : state.unlock()
      await ending.inTime('lock and trace', LEAST_DISK_MS, Promise.all([unlocked, trace?.close()]))
    }
    logger.info('gateway closed')
  }
  return {
    url,
    port: server.port,
    hangs: () => ending.isLate,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

/** A quarter of all is one tenant's, unless one token may have more. */
function streamLimits({ maxStreamsPerToken: perToken, maxStreams: inAll }: CheckedOptions): StreamLimits {
  return { perToken, perTenant: Math.max(perToken, Math.ceil(inAll / 4)), inAll }
}

async function pageOf(folder: string | undefined): Promise<ReturnType<typeof readPage>> {
  if (folder === undefined) return new Map()
  return usingFolder({ field: 'consoleDir', folder }, async () => readPage(folder))
}

/** @throws EngineStartError, once none of them is on its way any more */
async function startNodes(nodes: readonly MadeNode[]): Promise<void> {
  const outcomes = await Promise.allSettled(nodes.map(({ node }) => node.start()))
  const failed = outcomes.find((it) => it.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function sourcesOf(ingest: Ingest | undefined): ReadSources {
  return ({ namespace, sees }) => {
    if (!ingest) return []
    const own = ingest.sources.of(namespace).filter(({ name }) => sees(name))
    return own.map((it) => ({ name: it.name, dataset: namespace.dataset, ...stateOf(ingest, it) }))
  }
}

function logHow(node: string, { limit: { limit, expectedP90Ms }, logger }: CheckedOptions): void {
  const { controller, maxConcurrent, windowMs, latencyControl: latencyBackoff } = limit
  logger.info('adaptive limit', { node, controller, maxConcurrent, windowMs, expectedP90Ms, latencyBackoff })
}
