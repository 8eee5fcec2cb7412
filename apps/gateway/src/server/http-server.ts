import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { AddressInUseError } from './address-in-use-error.js'
import { boundConnections, type ConnectionBounds } from './connections.js'
import type { GatewayEnv } from './env.js'
import { ListenError } from './listen-error.js'
import { refuseMalformed } from './refuse-malformed.js'

/** What a server bears of its clients. */
export interface ServerBounds extends ConnectionBounds {
  /** From its first byte, or the opening of a connection, to the end of a request's head. */
  readonly headersMs: number
  /** To the end of its body. */
  readonly requestMs: number
  /**
   * Between two requests of a connection. Longer than the 60 s that nginx and other proxies keep theirs: else they would now
   * and then send into one that is being closed, and answer 502.
   */
  readonly keepAliveMs: number
}

/** Connections at once. */
export const MAX_CONNECTIONS = 8192
const BOUNDS: ServerBounds = {
  ...{ maxConnections: MAX_CONNECTIONS, stalledMs: 30_000 },
  ...{ headersMs: 10_000, requestMs: 30_000, keepAliveMs: 65_000 },
}
/** Heads of a kind that Node's own default allows too; it is said here because it is promised. */
const MAX_HEADER_BYTES = 16_384
/** Node looks for slow requests so often; its own default, 30 s, would let them live for 40. */
const MOST_CHECKING_MS = 1000

/** A server that listens. */
export interface HttpServer {
  readonly port: number
  /** Stops accepting, lets requests in flight finish for up to `graceMs`, then drops them. */
  close(graceMs: number): Promise<void>
}

/** @throws AddressInUseError when the port is taken, ListenError for all else */
export async function listen(
  app: Pick<Hono<GatewayEnv>, 'fetch'>,
  host: string,
  port: number,
  bounds: ServerBounds = BOUNDS,
): Promise<HttpServer> {
  const { headersMs: headersTimeout, requestMs: requestTimeout, keepAliveMs: keepAliveTimeout } = bounds
  const connectionsCheckingInterval = Math.min(MOST_CHECKING_MS, headersTimeout)
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: {
      ...{ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    // The gateway also runs inside other programs, whose Request and Response are not ours to replace.
    overrideGlobalObjects: false,
  }) as Server // createServer is node:http's, so this is no HTTP/2 server
  refuseMalformed(server, boundConnections(server, bounds))
  // Node would leave out those above 2000, among them what tells how the body is framed; their bytes are bounded.
  server.maxHeadersCount = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new AddressInUseError(host, port) : new ListenError(host, port, error))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo // bound to a port, not to a pipe
  return { port: address.port, close: (graceMs) => closeServer(server, graceMs) }
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
