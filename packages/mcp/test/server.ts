import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it arrived. */
export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface TestServer {
  url: string
  received: Received[]
  close(): Promise<void>
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>
}

/** A real HTTP server on loopback for one test; `answer` gets the number of the request, from 1. */
export async function serve(
  answer: (nth: number, response: ServerResponse, request: Received) => void,
): Promise<TestServer> {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server = createServer(async (request, response) => {
    const entry = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: '' }
    for await (const chunk of request.setEncoding('latin1')) entry.body += chunk
    const nth = received.push(entry)
    answer(nth, response, entry)
    for (const { count, resolve } of waiting) if (nth >= count) resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}
