import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request for something below `/api/`, and what came of it. */
export interface Asked {
  path: string
  /** Whether its answer was given whole; false: not yet, or the page went away. */
  answered: boolean
  /** Whether the connection is gone without an answer. */
  gone: boolean
}

export interface PageServer {
  url: string
  asked: Asked[]
  /** What answers below `/api/`, and what goes before the pages; set by each test. */
  api: (response: ServerResponse, nth: number, request: IncomingMessage) => unknown
  pages: (response: ServerResponse, request: IncomingMessage) => boolean
  close(): void
}

/** Controls whose value is not their default though nobody has touched them. */
const CONTROLS = ['checkbox', 'radio', 'range', 'color'].map((type) => `<input type="${type}">`).join('')

const HTML = (title: string): string =>
  `<!doctype html><title>${title}</title><script src="/script.js"></script><textarea id="note"></textarea>${CONTROLS}`

/** A real server with two pages, a script for both, and an API. */
export async function pageServer(script: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    response.setHeader('connection', 'close') // a browser sends again by itself where a connection that it kept is gone
    if (path.startsWith('/api/')) {
      const one = { path, answered: false, gone: false }
      const nth = self.asked.push(one)
      response.on('finish', () => {
        one.answered = true
      })
      response.on('close', () => {
        one.gone = !one.answered
      })
      self.api(response, nth, request)
      return
    }
    if (path.endsWith('.js')) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    if (path === '/favicon.ico') return void response.writeHead(404).end()
    if (self.pages(response, request)) return
    response.writeHead(200, { 'content-type': 'text/html' }).end(HTML(path))
  })
  const self: PageServer = {
    ...{ url: '', asked: [], api: (response) => void response.end('fine'), pages: () => false },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listening on TCP
  return self
}
