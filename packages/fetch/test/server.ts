import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
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
  /** Sockets open now. */
  open(): number
}

/** A real HTTP server on loopback for one test; `answer` gets the number of the request, from 1. */
export async function serve(
  answer: (nth: number, response: ServerResponse, request: Received) => void,
  drainRequests = true,
): Promise<TestServer> {
  const received: Received[] = []
  let sockets = 0
  let open = 0
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
  server.on('connection', (socket) => {
    sockets++
    open++
    socket.on('close', () => open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo // listening on TCP
  return { url: `http://127.0.0.1:${port}`, received, sockets: () => sockets, open: () => open }
}

/** A server that answers every request with these bytes, whatever HTTP thinks of them; its URL. */
export async function serveRaw(answer: string): Promise<string> {
  const server = createTcpServer((socket) => void socket.once('data', () => socket.end(answer)).on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listening on TCP
}
