import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Sends text over a socket as it is, for requests that no client would make, and reads the one answer.
 * @param between what happens after the head's first line, with the rest still to come
 */
export async function rawRequest(port: number, head: readonly string[], between?: () => void): Promise<Response> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const [first = '', ...rest] = head
  socket.write(`${first}\r\nHost: 127.0.0.1\r\n`)
  if (between !== undefined) {
    await sleep(50) // the server has begun to read it
    between()
  }
  socket.write(`${rest.join('\r\n')}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  const end = text.indexOf('\r\n\r\n')
  const [status = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return new Response(text.slice(end + 4), { status: Number(status.split(' ')[1]), headers })
}
