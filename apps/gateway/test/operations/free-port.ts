import { createServer } from 'node:net'

/** One that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('There is no port.')
}
