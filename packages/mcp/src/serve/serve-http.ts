import { createServer } from 'node:http'
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { onAbort } from '@sluice/core/adapter'
import type { ListenAddress } from '../command/listen-address.js'
import type { Log } from '../command/log.js'
import type { McpServers } from './create-mcp-server.js'
import { Sessions } from './sessions.js'

const PATH = '/mcp'

/**
 * Serves streamable HTTP at `/mcp` until the signal aborts. Requests that name another host or come from another origin
 * are refused: a web page could otherwise call through its reader's browser (DNS rebinding).
 * @throws what listening failed with
 */
export async function serveHttp(
  { create }: McpServers,
  { host, port, hosts }: ListenAddress,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const onerror = (error: Error): void => log.debug(error.message)
  // Clients of the protocol before 2026 open sessions; later ones send whole requests.
  const sessions = new Sessions(create, onerror)
  const modern = createMcpHandler(create, { legacy: 'reject', onerror })
  const fetch = async (request: Request): Promise<Response> =>
    (await isLegacyRequest(request)) ? sessions.fetch(request) : modern.fetch(request)
  const handle = toNodeHandler({ fetch }, { onerror })
  const hostAllowed = hostHeaderValidation([...hosts])
  const originAllowed = originValidation([...hosts])

  const server = createServer((request, response) => {
    if (!hostAllowed(request, response) || !originAllowed(request, response)) return
    if (request.url?.split('?')[0] !== PATH) return void response.writeHead(404).end(`MCP is served at ${PATH}\n`)
    // Its type has optional fields that may not be undefined; Node's may.
    handle(request as Parameters<typeof handle>[0], response).catch(onerror)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`--http: cannot listen on ${host}:${port} (${error.code})`)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const shown = typeof address === 'object' && address ? address.port : port
  log.info(`listening on http://${host.includes(':') ? `[${host}]` : host}:${shown}${PATH}`)

  if (!signal.aborted) await new Promise<void>((resolve) => onAbort(signal, resolve))
  const closed = new Promise((resolve) => server.close(resolve))
  await Promise.all([modern.close(), sessions.close()])
  server.closeAllConnections()
  await closed
}
