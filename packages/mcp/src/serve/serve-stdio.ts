import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { onAbort } from '@sluice/core/adapter'
import type { Log } from '../command/log.js'
import type { World } from '../world.js'
import type { McpServers } from './create-mcp-server.js'

/** Serves the one who started us, until stdin ends or the signal aborts. Calls in flight are cancelled then. */
export async function serveStdio(
  { create }: McpServers,
  { stdin, stdout, signal }: Pick<World, 'stdin' | 'stdout' | 'signal'>,
  log: Log,
): Promise<void> {
  const over = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    onAbort(signal, resolve)
    stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve())
    stdout.once('error', () => resolve()) // nobody reads what we say
  })
  const connection = serve(create, {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => log.debug(error.message),
  })
  await over
  await connection.close()
}
