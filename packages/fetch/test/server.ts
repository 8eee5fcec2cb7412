import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it arrived. */
export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  atMs: number
}

export interface TestServer {
  url: string
  received: Received[]
  /** Sockets opened so far. */
  sockets(): number
}

/** A real HTTP server on loopback for one test; `answer` gets the number of the request, from 1. */
export async function serve(
  answer: (nth: number, response: ServerResponse, request: Received) => void,
  drainRequests = true,
): Promise<TestServer> {
  const received: Received[] = []
  let sockets = 0
  const server: Server = createServer(async (request, response) => {
    const entry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: '',
      atMs: performance.now(),
    }
    const nth = received.push(entry)
    if (drainRequests) for await (const chunk of request.setEncoding('utf8')) entry.body += chunk
    answer(nth, response, entry)
  })
  server.on('connection', () => sockets++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo // listening on TCP
  return { url: `http://127.0.0.1:${port}`, received, sockets: () => sockets }
}
