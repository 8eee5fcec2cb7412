import { randomUUID } from 'node:crypto'
import { type Server, WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/server'

/** Clients go away without a word: beyond this the session that was idle longest is closed. */
const MOST = 256

/** The sessions of clients of the protocol before 2026, each with a server of its own. */
export class Sessions {
  readonly #create: () => Server
  readonly #onerror: (error: Error) => void
  /** In the order of their last use. */
  readonly #open = new Map<string, Transport>()

  constructor(create: () => Server, onerror: (error: Error) => void) {
    this.#create = create
    this.#onerror = onerror
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request)
    const transport = this.#open.get(id)
    if (!transport) return problem(404, 'Session not found')
    this.#open.delete(id)
    this.#open.set(id, transport)
    return transport.handleRequest(request)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()))
    this.#open.clear()
  }

  async #begin(request: Request): Promise<Response> {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#open.set(id, transport)
        const [oldest] = this.#open
        if (oldest && this.#open.size > MOST) {
          this.#open.delete(oldest[0])
          oldest[1].close().catch(this.#onerror)
        }
      },
      onsessionclosed: (id) => void this.#open.delete(id),
    })
    const server = this.#create()
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await server.close() // it was no initialize
    return response
  }
}

/** As the SDK's transport answers. */
const problem = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }, { status })
