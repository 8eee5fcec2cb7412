import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { About } from './client.js'
import { failureBody } from './failure-body.js'
import type { Send } from './observation.js'
import type { Probe } from './probe.js'

/** Epoch ms with fractions: comparable with that of a child on the same machine, and monotonic within a process. */
export const epochNow = (): number => performance.timeOrigin + performance.now()

/** A server that plays probes and writes down what arrives. */
export interface ProbeServer {
  /** `http://127.0.0.1:PORT` */
  origin: string
  /** Opens `path` for one call, and returns its record, which grows as requests arrive; times are epoch ms. */
  open(path: string, probe: Probe, dialect: About['dialect']): Send[]
  close(): Promise<void>
}

interface Case {
  probe: Probe
  dialect: About['dialect']
  sends: Send[]
}

/** A runaway client is counted no further: its requests are reset. */
const MOST_SENDS = 2_000

const shown = (headers: Record<string, string | string[]>): string =>
  Object.entries(headers)
    .map(([name, value]) => ` ${name}: ${Array.isArray(value) ? value.join(' | ') : value || '(empty)'}`)
    .join(',')

function reply(
  { probe, dialect, sends }: Case,
  request: IncomingMessage,
  response: ServerResponse,
  atMs: number,
): void {
  const scripted = probe.answers[Math.min(sends.length, probe.answers.length - 1)] ?? 'reset'
  const key = request.headers['idempotency-key']
  const now = epochNow()
  const send: Send = {
    atMs,
    method: request.method ?? '',
    idempotencyKey: typeof key === 'string' ? key : null,
    answer: 'connection reset',
    answeredAtMs: now,
    notBeforeMs: null,
  }
  sends.push(send)
  if (scripted === 'reset' || sends.length > MOST_SENDS) {
    request.socket.resetAndDestroy()
    return
  }
  const headers = scripted.headers(now)
  send.answer = `${scripted.status}${shown(headers)}`
  send.notBeforeMs = scripted.notBefore(now)
  const body = failureBody(dialect, scripted.status, headers, `answer-${sends.length}`)
  response.writeHead(scripted.status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

export async function probeServer(): Promise<ProbeServer> {
  const cases = new Map<string, Case>()
  const server = createServer((request, response) => {
    const atMs = epochNow()
    request.resume().on('end', () => {
      const found = cases.get(new URL(request.url ?? '/', 'http://localhost').pathname)
      if (found) reply(found, request, response, atMs)
      else response.writeHead(404).end()
    })
  })
  // A socket that the server closes between two attempts would look like a failure of the client.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // listen() on a port gives an AddressInfo, never the path of a pipe.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    open(path, probe, dialect) {
      const sends: Send[] = []
      cases.set(path, { probe, dialect, sends })
      return sends
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
