import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A URL where nobody listens (any more). */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  await new Promise<unknown>((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
