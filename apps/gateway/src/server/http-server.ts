import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { AddressInUseError } from './address-in-use-error.js'
import type { GatewayEnv } from './env.js'

/** Slow clients: headers within 10 s, the whole request within 30 s, an idle connection for 5 s. */
const SERVER_OPTIONS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 }

/** A server that listens. */
export interface HttpServer {
  readonly port: number
  /** Stops accepting, lets requests in flight finish for up to `graceMs`, then drops them. */
  close(graceMs: number): Promise<void>
}

/** @throws AddressInUseError when the port is taken; other listen errors as Node gives them */
export async function listen(app: Hono<GatewayEnv>, host: string, port: number): Promise<HttpServer> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: SERVER_OPTIONS,
    // The gateway also runs inside other programs, whose Request and Response are not ours to replace.
    overrideGlobalObjects: false,
  }) as Server // createServer is node:http's, so this is no HTTP/2 server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new AddressInUseError(host, port) : error)
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
