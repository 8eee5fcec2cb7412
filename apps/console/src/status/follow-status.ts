import type { Status } from '@sluice/client'
import { type Clock, type PageFetch, retryAfterMs, userMessage } from '@sluice/fetch/page'
import type { Connection } from './connection.js'
import { EventParser } from './event-parser.js'
import { reconnectWaitMs } from './reconnect-wait.js'

/** What following takes. */
export interface FollowOptions {
  readonly fetch: PageFetch
  readonly authorization: string
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly onConnection: (connection: Connection) => void
  readonly onStatus: (status: Status) => void
}

/** A comment comes after 15 s without an event: twice that, and some, is a connection that is dead. */
const SILENCE_MS = 40_000

/**
 * One that told something and lasted so long was well. One that ends sooner, as behind a proxy that cuts streams off,
 * counts as a failure: it would otherwise be opened again for ever, some times a second.
 */
const WELL_MS = 15_000

/** How one connection ended. */
interface End {
  readonly message: string
  readonly statedMs: number | null
  readonly refused: boolean
}

/**
 * Follows `GET /v1/status/stream` until the signal is aborted or the token is refused. The fetch sends a stream once (U4):
 * it is opened again from here, after a wait. `EventSource` could not send the token.
 */
export async function followStatus(options: FollowOptions): Promise<void> {
  const { clock, random, signal, onConnection, onStatus } = options
  let failures = 0
  onConnection({ kind: 'connecting' })
  while (!signal.aborted) {
    const openedMs = clock.now()
    let told = false
    const end = await readOnce(options, (status) => {
      if (!told) onConnection({ kind: 'live' })
      told = true
      onStatus(status)
    })
    if (signal.aborted) return
    if (end.refused) return onConnection({ kind: 'refused' })
    failures = told && clock.now() - openedMs >= WELL_MS ? 0 : failures + 1
    onConnection({ kind: 'lost', message: end.message })
    await pause(clock, reconnectWaitMs(failures, end.statedMs, random()), signal)
  }
}

async function readOnce(
  { fetch, authorization, signal }: FollowOptions,
  onStatus: (status: Status) => void,
): Promise<End> {
  try {
    const headers = { Accept: 'text/event-stream', Authorization: authorization }
    const response = await fetch.with({ bodyIdleMs: SILENCE_MS })('/v1/status/stream', { headers, signal })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      const message = userMessage(response) ?? 'The gateway sent no status'
      return { message, statedMs: retryAfterMs(response), refused: [401, 403].includes(response.status) }
    }
    const parser = new EventParser()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const { type, data } of parser.push(part.value)) {
        // The gateway's own words, held to its contract by its tests.
        if (type === 'status') onStatus(JSON.parse(data) as Status)
      }
    }
    return { message: 'The gateway ended the connection', statedMs: null, refused: false }
  } catch (error) {
    return {
      message: userMessage(error) ?? 'The connection was ended',
      statedMs: retryAfterMs(error),
      refused: false,
    }
  }
}

/** Waits; an abort ends the wait. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.timer(ms, end)
    signal.addEventListener('abort', end)
  })
}
