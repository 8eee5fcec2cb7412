import type { ConfigurationName } from './client.js'
import type { Probe } from './probe.js'
import { probeServer } from './probe-server.js'
import { type ClientRun, runClient } from './run-client.js'

export interface MatrixOptions {
  /** Client ids, in the order of the columns. */
  clients: string[]
  probes: Probe[]
  onProgress?: (text: string) => void
  /** The child's program, where it does not lie beside this one. */
  program?: string
}

export const CONFIGURATIONS: ConfigurationName[] = ['defaults', 'best']

/** Every client in both configurations, each in a process of its own, against one server. */
export async function runMatrix({ clients, probes, onProgress, program }: MatrixOptions): Promise<ClientRun[]> {
  const server = await probeServer()
  const queue = clients.flatMap((client) => CONFIGURATIONS.map((configuration) => ({ client, configuration })))
  const running = new Map<string, Promise<ClientRun>>()
  let watched = 0
  const progress = (): void => onProgress?.(`${running.size} of ${queue.length} started, ${watched} watched to the end`)

  try {
    // One start at a time: a start is busy, and would make the first requests of another child look slow.
    for (const { client, configuration } of queue) {
      await new Promise<void>((onQuiet) => {
        const run = runClient({
          server,
          client,
          configuration,
          probes,
          onQuiet,
          ...(program ? { program } : {}),
        }).finally(() => {
          watched++
          progress()
          onQuiet()
        })
        // Awaited below, after all have been started; until then a rejection must not end the process.
        run.catch(() => {})
        running.set(`${client}/${configuration}`, run)
        progress()
      })
    }
    const order = queue.map(({ client, configuration }) => running.get(`${client}/${configuration}`))
    return (await Promise.all(order)).filter((run) => run !== undefined)
  } finally {
    await Promise.allSettled(running.values())
    await server.close()
  }
}
