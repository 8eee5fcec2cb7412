import type { Clock } from '@sluice/core'
import type { Asker, Stand } from './stand.js'

/** One answer. */
export interface Answer {
  readonly status: number
  /** When it came, on the demo's clock. */
  readonly atMs: number
  /** From question to answer, the wait for a slot included. */
  readonly tookMs: number
  /** What the engine took; null where it did not answer. */
  readonly engineMs: number | null
}

/** What asking takes. */
export interface AskOptions {
  readonly stand: Pick<Stand, 'url' | 'headersOf'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Asks one question. @throws the signal's reason, or what fetch throws where nobody answers */
export async function ask(
  asker: Asker,
  question: 'light' | 'job',
  thousands: number,
  { stand, clock, signal }: AskOptions,
): Promise<Answer> {
  const askedMs = clock.now()
  const url = `${stand.url}/v1/pipes/${question}?thousands=${thousands}`
  const response = await fetch(url, { headers: stand.headersOf(asker), signal })
  await response.arrayBuffer() // so that its connection can be used again
  const atMs = clock.now()
  const [, engine] = /\bnode;dur=([\d.]+)/.exec(response.headers.get('server-timing') ?? '') ?? []
  return {
    status: response.status,
    atMs,
    tookMs: atMs - askedMs,
    engineMs: engine === undefined ? null : Number(engine),
  }
}
