import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived. */
export interface Arrival {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

/** How a request is answered. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A real server that keeps what arrived. */
export interface RunningServer {
  readonly url: string
  readonly arrivals: Arrival[]
  close(): Promise<void>
}

/** @param answer for the n-th request (from 1) that carries the same `x-call` header */
export async function serve(answer: (arrival: Arrival, nth: number) => Answer): Promise<RunningServer> {
  const arrivals: Arrival[] = []
  const counts = new Map<string, number>()
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { method = '', url = '', headers } = request
      const call = String(headers['x-call'])
      const nth = (counts.get(call) ?? 0) + 1
      counts.set(call, nth)
      const arrival = { method, url, headers }
      arrivals.push(arrival)
      const { status, headers: answered, body = '{}' } = answer(arrival, nth)
      response.writeHead(status, { 'content-type': 'application/json', ...answered }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A throttle at first, then a success. */
export const throttledOnce = (_: Arrival, nth: number): Answer =>
  nth === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 200 }
