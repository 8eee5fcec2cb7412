import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { HostClock } from '../host-clock.js'
import type { Answer } from '../script/answer.js'
import type { Arrival } from './arrival.js'

/** A real HTTP server on loopback that answers each case from a script of its own. */
export interface ScriptedServer {
  /** `http://127.0.0.1:PORT` */
  url: string
  /**
   * Begins a case: requests to `/case/ID`, and to anything under it, meet these answers in turn, the last one repeating.
   *
   * @param id letters, digits, `-`, `.`, `_` and `~`.
   * @throws TypeError without answers, and for an id that is taken.
   */
  script(id: string, answers: readonly Answer[], onArrival?: () => void): ScriptedCase
  /** Closes every connection. */
  close(): Promise<void>
}

export interface ScriptedCase {
  /** `http://127.0.0.1:PORT/case/ID` */
  baseUrl: string
  /** What has arrived so far, in the order of arrival. */
  arrivals: readonly Arrival[]
}

interface Running extends ScriptedCase {
  arrivals: Arrival[]
  answers: readonly Answer[]
  onArrival: () => void
}

/**
 * Listens on 127.0.0.1, on a port that is free. Each answer closes its connection, so that every send comes over a new
 * one and no HTTP library repeats a request by itself because a connection that it kept had gone.
 */
export async function scriptedServer({ clock }: { clock: HostClock }): Promise<ScriptedServer> {
  const running = new Map<string, Running>()
  const timers = new Set<() => void>()

  const later = (ms: number, act: () => void): void => {
    const cancel = clock.timer(ms, () => {
      timers.delete(cancel)
      act()
    })
    timers.add(cancel)
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const id = /^\/case\/([^/?]+)/.exec(path)?.[1] ?? ''
    const one = running.get(id)
    if (one === undefined) {
      request.resume()
      response.writeHead(404, { connection: 'close' }).end(`no case runs at ${path}\n`)
      return
    }
    const arrival = arrivalOf(request, path, clock)
    const nth = one.arrivals.push(arrival)
    const answer = one.answers[Math.min(nth, one.answers.length) - 1]
    one.onArrival()
    response.on('close', () => {
      if (arrival.answeredAtMs === null) arrival.leftAtMs = clock.now()
    })
    readBody(request, arrival).then(() => {
      if (answer === undefined || arrival.leftAtMs !== null) return
      if ('failure' in answer && answer.failure === 'timeout') return // never answered
      const respond = (): void => {
        if (arrival.leftAtMs !== null) return
        arrival.answeredAtMs = clock.now()
        give(answer, response)
      }
      const left = (answer.after_ms ?? 0) - (clock.now() - arrival.atMs)
      if (left > 0) later(left, respond)
      else respond()
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url,
    script(id, answers, onArrival = () => undefined) {
      if (answers.length === 0) throw new TypeError(`case ${id} has no answers; give what the first request meets`)
      if (running.has(id)) throw new TypeError(`case ${id} is taken; give each run an id of its own`)
      const one = { baseUrl: `${url}/case/${id}`, arrivals: [], answers, onArrival }
      running.set(id, one)
      return one
    },
    close() {
      for (const cancel of timers) cancel()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

function arrivalOf(request: IncomingMessage, path: string, clock: HostClock): Arrival {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    atMs: clock.now(),
    method: request.method ?? '',
    path,
    headers: Object.fromEntries(headers),
    body: '',
    answeredAtMs: null,
    leftAtMs: null,
  }
}

async function readBody(request: IncomingMessage, arrival: Arrival): Promise<void> {
  try {
    for await (const text of request.setEncoding('utf8')) arrival.body += text
  } catch {
    // The client left in the middle of it: the response's close tells when.
  }
}

function give(answer: Answer, response: ServerResponse): void {
  if ('failure' in answer) {
    // R3, network:ECONNRESET: a TCP reset, and no byte of an answer.
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(answer.status, { ...answer.headers, connection: 'close' })
  response.end(answer.body ?? `scripted answer ${answer.status}\n`)
}
