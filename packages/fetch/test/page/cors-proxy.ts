import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }
const PREFLIGHT = { 'access-control-allow-methods': '*', 'access-control-allow-headers': '*' }

/** A server of another origin, in front of one that knows nothing of CORS: what it answers and how it fails goes on. */
export async function corsProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS' && 'access-control-request-method' in request.headers)
      return void response.writeHead(204, { ...CORS, ...PREFLIGHT, 'access-control-max-age': '600' }).end()
    const { method, url = '/', headers } = request
    const { host: _, ...others } = headers
    const forwarded = sendRequest(target + url, { method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...CORS })
      answer.pipe(response)
    })
    forwarded.on('error', () => void response.socket?.resetAndDestroy())
    response.on('close', () => void forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
