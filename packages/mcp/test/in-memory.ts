import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server'

/** A client of this server, in this process. */
export async function connected(server: Server): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(ours), client.connect(theirs)])
  return client
}
