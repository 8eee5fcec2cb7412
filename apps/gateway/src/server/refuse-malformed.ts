import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { linger } from './linger.js'

/** Answers to what Node could not read as a request. It tells by the code of the error; all else is no HTTP. */
const ANSWERS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** As Node does by itself, without a body, but so that the client sees it however much it goes on sending. */
export function refuseMalformed(server: Server, answersOf: (socket: Socket) => Iterable<ServerResponse>): void {
  const refused = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket // of a server of node:http
    if (refused.has(socket)) return // more of the same, which is being read past
    refused.add(socket)
    // One that is gone, or has an answer begun, has nothing to be told.
    const isAnswered = [...answersOf(socket)].some((it) => it.headersSent)
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswered) socket.destroy(error)
    else linger(socket, `HTTP/1.1 ${ANSWERS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
  })
}
