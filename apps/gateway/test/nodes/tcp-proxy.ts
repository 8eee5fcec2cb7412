import { createServer, type Server, Socket } from 'node:net'

/** What is done to the bytes of every connection, those that are open included. */
export interface ProxyFault {
  /** Each piece, either way, is passed on so much later. */
  readonly delayMs?: number
  /** Bytes a second, of each connection and direction. */
  readonly bytesPerSecond?: number
  /** Nothing is passed on, and nothing is closed, until the next fault is set: what came meanwhile goes then. */
  readonly isBlackHole?: boolean
  /** A connection is cut as soon as so many bytes have gone to the server on it. */
  readonly cutAfterBytes?: number
}

/** Stands between a client and a server on this machine, and spoils their connections. */
export class TcpProxy {
  readonly #server: Server
  readonly #targetPort: number
  readonly #sockets = new Set<Socket>()
  readonly #changed = new Set<() => void>()
  #fault: ProxyFault = {}
  #port = 0

  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    const address = proxy.#server.address()
    if (typeof address === 'object' && address) proxy.#port = address.port
    return proxy
  }

  private constructor(targetPort: number) {
    this.#targetPort = targetPort
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#connect(client))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size / 2
  }

  /** From now on; `{}` is none. */
  set(fault: ProxyFault): void {
    this.#fault = fault
    for (const wake of [...this.#changed]) wake()
  }

  /** Resets every connection that is open. New ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    this.cut()
    this.set({})
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #connect(client: Socket): void {
    const server = new Socket({ allowHalfOpen: true })
    server.connect(this.#targetPort, '127.0.0.1')
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined) // what follows is 'close'
    }
    const end = (other: Socket) => () => {
      other.destroy()
      for (const socket of [client, server]) this.#sockets.delete(socket)
    }
    client.on('close', end(server))
    server.on('close', end(client))
    void this.#pass(client, server, true)
    void this.#pass(server, client, false)
  }

  async #pass(from: Socket, to: Socket, isRequest: boolean): Promise<void> {
    let passed = 0
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        await this.#hold(bytes.length)
        const { cutAfterBytes } = this.#fault
        const rest = isRequest && cutAfterBytes !== undefined ? cutAfterBytes - passed : Number.POSITIVE_INFINITY
        passed += bytes.length
        if (to.destroyed) return
        const isFull = !to.write(bytes.length > rest ? bytes.subarray(0, Math.max(0, rest)) : bytes)
        if (bytes.length >= rest) {
          // As a client that dies does: what it had sent is there, and then the connection ends.
          to.end(() => to.destroySoon())
          from.resetAndDestroy()
          return
        }
        if (isFull) await new Promise<void>((resolve) => to.once('drain', resolve).once('close', resolve))
      }
      await this.#hold(0)
      to.end()
    } catch {
      to.destroy()
    }
  }

  /** Until a piece of this many bytes may go. */
  async #hold(bytes: number): Promise<void> {
    while (this.#fault.isBlackHole) await this.#wait(undefined)
    const { delayMs = 0, bytesPerSecond } = this.#fault
    const ms = delayMs + (bytesPerSecond === undefined ? 0 : (bytes / bytesPerSecond) * 1000)
    if (ms > 0 && bytes > 0) await this.#wait(ms)
    if (this.#fault.isBlackHole) await this.#hold(0)
  }

  /** Until the fault changes, or for so long. */
  #wait(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#changed.delete(done)
        resolve()
      }
      const timer = ms === undefined ? undefined : setTimeout(done, ms)
      this.#changed.add(done)
    })
  }
}
