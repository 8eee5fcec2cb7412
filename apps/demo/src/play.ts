import type { Clock } from '@sluice/core'
import type { Client } from './clients/client.js'
import { CALL_ID_HEADER, CountingTransport, type Traffic } from './counting-transport.js'

/** How it went for one client. */
export interface Figures extends Traffic {
  readonly name: string
  readonly calls: number
  /** Calls that ended without data. */
  readonly failures: number
  /** Those among them that did not end with a 429. */
  readonly broken: number
  /** From the first send to the last answer. */
  readonly elapsedMs: number
  readonly ifLost?: string
}

/** How far it is. */
export interface Stage {
  readonly name: string
  readonly calls: number
  readonly done: number
  /** Calls that wait for their time; undefined where the client cannot tell. */
  readonly waiting: number | undefined
}

/** What a client has to do, and with what. */
export interface PlayOptions {
  /** Absolute URLs, one a call. */
  readonly urls: readonly string[]
  readonly token: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  /** Called whenever something changed. */
  readonly onStage: (stage: Stage) => void
}

/** Makes all calls of one client at once. @throws the signal's reason when it is aborted */
export async function play(client: Client, options: PlayOptions): Promise<Figures> {
  const { urls, token, clock, random, signal, onStage } = options
  const transport = new CountingTransport({ fetch: options.fetch, clock })
  const { call, waiting } = client.make({ transport: transport.fetch, clock, random })
  const { name, ifLost } = client
  const calls = urls.length
  let done = 0
  let failures = 0
  let broken = 0
  const asleep = () => waiting?.getSnapshot().filter(({ inFlight }) => !inFlight).length
  const report = () => onStage({ name, calls, done, waiting: asleep() })
  const unsubscribe = waiting?.subscribe(report)

  const one = async (url: string, index: number): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, [CALL_ID_HEADER]: `${client.id}-${index + 1}` }
    const end = await endOf(() => call(url, { headers, signal }))
    signal.throwIfAborted()
    if (end !== 'data') failures += 1
    if (end === 'broken') broken += 1
    done += 1
    report()
  }

  const startedMs = clock.now()
  report()
  try {
    await Promise.all(urls.map(one))
  } finally {
    unsubscribe?.()
  }
  const elapsedMs = clock.now() - startedMs
  return { name, calls, ...transport.traffic, failures, broken, elapsedMs, ...(ifLost !== undefined && { ifLost }) }
}

/** A call is worth something only if rows came back. */
async function endOf(call: () => Promise<Response>): Promise<'data' | 'refused' | 'broken'> {
  try {
    const response = await call()
    const body: unknown = await response.json() // also of a refusal: its connection can then be used again
    if (response.status === 429) return 'refused'
    const rows = typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)
    return response.ok && rows ? 'data' : 'broken'
  } catch {
    return 'broken' // no answer, or none that can be read
  }
}
