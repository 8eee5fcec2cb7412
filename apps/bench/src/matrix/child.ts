// Runs one client in one configuration: every probe is one call, all side by side. Speaks over the IPC channel, so that
// what a client prints does no harm.
import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from './client.js'
import { clients } from './clients/index.js'
import type { Job, Said } from './messages.js'
import { epochNow } from './probe-server.js'

const say = (said: Said): void => void process.send?.(said)
const named = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

process.on('uncaughtException', (error) => say({ stray: named(error) }))
process.on('unhandledRejection', (error) => say({ stray: named(error) }))
process.on('disconnect', () => process.exit())

/** Between two starts, so that a burst of first requests does not look like slow answers. */
const STAGGER_MS = 30

async function play(call: Call, { origin }: Job, probe: Job['probes'][number]): Promise<void> {
  const caller = new AbortController()
  const abort = (): void => {
    say({ aborted: probe.id, atMs: epochNow() })
    caller.abort()
  }
  say({ began: probe.id, atMs: epochNow() })
  const timer = probe.abortAtMs === null ? undefined : setTimeout(abort, probe.abortAtMs)
  try {
    const answer = await call({
      id: probe.id,
      url: `${origin}${probe.path}`,
      method: probe.method,
      headers: probe.keyed ? { 'idempotency-key': 'order-17' } : {},
      body: probe.method === 'POST' ? '{"amount":1}' : undefined,
      signal: caller.signal,
    })
    say({ ended: probe.id, atMs: epochNow(), ...answer, error: null })
  } catch (error) {
    say({ ended: probe.id, atMs: epochNow(), status: null, retryAfter: null, body: null, error: named(error) })
  } finally {
    clearTimeout(timer)
  }
}

process.once('message', async (message) => {
  // Only run-client.ts speaks to this process.
  const job = message as Job
  const load = clients[job.client]
  if (!load) throw new Error(`There is no client ${job.client}.`)
  const { about, configurations } = await load()
  const { call, setup } = configurations[job.configuration]
  say({ about, setup })
  const [control, ...probes] = job.probes
  // The first call pays for loading and compiling; it is a plain 200, and is checked.
  if (control) await play(call, job, control)
  for (const probe of probes) {
    void play(call, job, probe)
    await pause(STAGGER_MS)
  }
  // Stays until the parent has seen enough.
  setInterval(() => {}, 1 << 30)
})
