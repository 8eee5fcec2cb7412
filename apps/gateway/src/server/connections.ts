import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many connections there may be, and how long one may stand still. */
export interface ConnectionBounds {
  readonly maxConnections: number
  /** A client that takes nothing of its answer for so long has lost it. */
  readonly stalledMs: number
}

/**
 * Bounds the connections of a server. Above the bound the one that has been without a request for longest gives way, be it
 * new or kept alive: who opens thousands and asks nothing pushes out their own, and who asks is served. Where all of them
 * are being served, it is the new one.
 *
 * @returns the answers that are being made for a connection
 */
export function boundConnections(
  server: Server,
  { maxConnections, stalledMs }: ConnectionBounds,
): (socket: Socket) => Iterable<ServerResponse> {
  /** Without a request, the longest first. */
  const idle = new Set<Socket>()
  /** What is being answered: several at once, where a client sends before it reads. */
  const underWay = new Map<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    if (idle.size + underWay.size >= maxConnections) {
      const [oldest = socket] = idle
      oldest.destroy()
      if (oldest === socket) return
      idle.delete(oldest)
    }
    idle.add(socket)
    socket.once('close', () => {
      idle.delete(socket)
      // Of answers that wait behind another's on the same connection Node tells nobody that they will not be sent.
      for (const it of [...(underWay.get(socket) ?? [])]) if (it.socket === null && !it.closed) it.emit('close')
      underWay.delete(socket)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    const answers = underWay.get(socket) ?? new Set()
    underWay.set(socket, answers.add(response))
    response.once('close', () => {
      answers.delete(response)
      if (answers.size > 0) return
      underWay.delete(socket)
      if (!socket.destroyed) idle.add(socket)
    })
  })
  server.timeout = stalledMs
  // Told of every connection on which nothing has moved, and then Node leaves it alone.
  server.on('timeout', (socket: Socket) => {
    if (underWay.has(socket) && socket.writableLength === 0) socket.setTimeout(stalledMs)
    else socket.destroy()
  })
  return (socket) => underWay.get(socket) ?? []
}
