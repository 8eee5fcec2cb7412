import { connect, type Socket } from 'node:net'

/** What came of bytes that were sent as they are. */
export interface RawAnswer {
  /** The status of each answer, in their order. */
  readonly statuses: readonly number[]
  readonly text: string
  /** Whether the server ended the connection. */
  readonly isClosed: boolean
}

/** What is sent: text, bytes, or them as they come. */
export type Sent = string | Buffer | Iterable<string | Buffer>

/** Of silence, after which a connection is given up: less than a server keeps one that it does not want to close. */
const QUIET_MS = 20_000

/** Sends bytes over a connection of its own, and reads until the server closes it or has said nothing for long. */
export async function raw(port: number, sent: Sent): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let isClosed = false
  const done = new Promise<void>((resolve) => {
    socket.setTimeout(QUIET_MS, resolve)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('end', () => {
      isClosed = true
    })
    socket.on('error', () => {
      isClosed = true // reset: it did not want to read on
    })
    socket.on('close', () => {
      resolve()
    })
  })
  void pour(socket, typeof sent === 'string' || Buffer.isBuffer(sent) ? [sent] : sent)
  await done
  socket.destroy()
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), text, isClosed }
}

async function pour(socket: Socket, parts: Iterable<string | Buffer>): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed || !socket.writable) return
    if (socket.write(part)) continue
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve)
      socket.once('close', resolve)
    })
  }
}

/** A head, and then the same part again and again. */
export function* endless(head: string, part: string, parts: number): Generator<string> {
  yield head
  for (let i = 0; i < parts; i++) yield part
}

/** A connection that is open, and says nothing yet. */
export async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // it may be closed from the other side at any time
  socket.resume()
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}
