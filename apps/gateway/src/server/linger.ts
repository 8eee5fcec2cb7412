import type { Socket } from 'node:net'

/** A client that goes on sending is read past its answer for so long. */
const LINGER_MS = 1000

/**
 * Says the last word on a connection and closes it, without losing that word: were it closed while what the client sends
 * is not read, it would be reset, and the client would never see its answer.
 */
export function linger(socket: Socket, lastWord = ''): void {
  socket.end(lastWord)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
