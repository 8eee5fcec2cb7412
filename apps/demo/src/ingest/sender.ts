import { type GatewayClient, unwrap } from '@sluice/client'
import type { Clock } from '@sluice/core'
import { pause } from '../surge/pause.js'
import type { FlightEvent } from './flights.js'

/** How often each sender sends: five small requests a second. */
export const EVERY_MS = 200
/** Requests under way of one sender: what a machine cannot answer in five seconds is not made worse. */
const MOST_UNDER_WAY = 25

/** What became of one request. */
export interface Sent {
  /** When it was sent, on the demo's clock. */
  readonly atMs: number
  readonly rows: number
  /** From then to the answer. With `wait` that is when queries see its rows. */
  readonly tookMs: number
}

/** A sender of one data source. */
export interface Sender {
  /** So far, in the order in which answers came. */
  readonly sent: readonly Sent[]
  /** Sends nothing more, and lets the last answers come. @throws ApiError, of the first request that was refused */
  stop(): Promise<void>
}

/** What a sender takes. */
export interface SenderOptions {
  readonly client: GatewayClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly source: string
  /** Whether answers come after the write. */
  readonly wait: boolean
  /** The next events; none: there are no more. */
  readonly next: () => readonly FlightEvent[]
}

/** Sends on at its own pace, whether answers come or not: as clients do that know nothing of each other. */
export function startSender(options: SenderOptions): Sender {
  const { clock, signal, next } = options
  const sent: Sent[] = []
  const underWay = new Set<Promise<void>>()
  let stopped = false
  const go = async (): Promise<void> => {
    let dueMs = clock.now()
    while (!stopped) {
      if (underWay.size < MOST_UNDER_WAY) {
        const events = next()
        if (events.length === 0) return
        const one = sendOnce(options, events).then((it) => void sent.push(it))
        underWay.add(one)
        one.then(
          () => underWay.delete(one),
          () => undefined, // it stays there, and is told by stop()
        )
      }
      dueMs += EVERY_MS
      await pause(clock, Math.max(0, dueMs - clock.now()), signal)
    }
  }
  const going = go()
  going.catch(() => undefined) // told by stop()
  return {
    sent,
    async stop() {
      stopped = true
      await going
      await Promise.all(underWay)
    },
  }
}

/** Each batch has a key, so that it counts once however often it has to be sent. @throws ApiError */
export async function sendOnce(
  { client, clock, signal, source, wait }: Omit<SenderOptions, 'next'>,
  events: readonly FlightEvent[],
): Promise<Sent> {
  const atMs = clock.now()
  await unwrap(
    client.sendEvents({
      path: { name: source },
      query: { wait },
      headers: { 'Idempotency-Key': `${source}-${events[0]?.number}` },
      body: [...events],
      signal,
    }),
  )
  return { atMs, rows: events.length, tookMs: clock.now() - atMs }
}
