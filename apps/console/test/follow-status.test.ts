import type { Status } from '@sluice/client'
import { VirtualClock } from '@sluice/core/testing'
import { createPageFetch } from '@sluice/fetch/page'
import { describe, expect, test } from 'vitest'
import type { Connection } from '../src/status/connection.js'
import { followStatus } from '../src/status/follow-status.js'
import { reconnectWaitMs } from '../src/status/reconnect-wait.js'
import { statusOf } from './statuses.js'

const event = (limit: number): string => `event: status\ndata: ${JSON.stringify(statusOf({ limit }))}\n\n`
const stream = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

/** Tells something, and then nothing any more. */
const silentAfter = (text: string) => (): Response => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** Follows a gateway that answers so, one after another, and then refuses. */
async function follow(answers: readonly (() => Response)[]) {
  const clock = new VirtualClock()
  const sent: { atMs: number; headers: Record<string, string> }[] = []
  const connections: Connection[] = []
  const limits: (number | undefined)[] = []
  const transport: typeof globalThis.fetch = async (_, init) => {
    const answer = answers[sent.length] ?? (() => new Response(null, { status: 401 }))
    sent.push({ atMs: clock.now(), headers: Object.fromEntries(new Headers(init?.headers)) })
    return answer()
  }
  const following = followStatus({
    ...{ clock, random: () => 0.5, signal: new AbortController().signal, authorization: 'Bearer t' },
    fetch: createPageFetch({ clock, fetch: transport }),
    onConnection: (connection) => connections.push(connection),
    onStatus: (status: Status) => limits.push(status.nodes[0]?.limit.limit),
  })
  await clock.run(following)
  return { sent, connections, limits }
}

describe('the stream of the status', () => {
  test('is asked for once a connection, as a stream and with the token, and opened again when it ends', async () => {
    const { sent, limits, connections } = await follow([() => stream(event(8) + event(6)), () => stream(event(7))])
    expect(limits).toEqual([8, 6, 7])
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 500, 1500])
    expect(sent[0]?.headers).toEqual({ accept: 'text/event-stream', authorization: 'Bearer t' })
    const ended = { kind: 'lost', message: 'The gateway ended the connection' }
    const live = { kind: 'live' }
    expect(connections).toEqual([{ kind: 'connecting' }, live, ended, live, ended, { kind: 'refused' }])
  })

  test('is opened again not before the gateway asked for it, and ever more rarely', async () => {
    const busy = (): Response => new Response(null, { status: 429, headers: { 'retry-after': '20' } })
    const down = (): Response => new Response(null, { status: 503 })
    const { sent, connections } = await follow([busy, down, down, down])
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 20_000, 21_000, 23_000, 27_000])
    expect(connections[1]).toEqual({ kind: 'lost', message: 'Rate limited — server asked to retry in 20 s' })
  })

  test('is opened again ever more rarely where each is cut off, soon after one that lasted', async () => {
    const cut = (): Response => stream(event(8))
    const { sent } = await follow([cut, cut, cut, silentAfter(event(8)), cut])
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 500, 1500, 3500, 3500 + 40_000 + 250, 3500 + 40_000 + 750])
  })

  test('is given up after 40 s of silence, as of a machine that slept or a network that went', async () => {
    const { connections } = await follow([silentAfter(event(8))])
    expect(connections).toEqual([
      { kind: 'connecting' },
      { kind: 'live' },
      { kind: 'lost', message: 'No answer from the server in time — please retry' },
      { kind: 'refused' },
    ])
  })

  test('waits within bounds', () => {
    expect([0, 1, 5, 60].map((failures) => reconnectWaitMs(failures, null, 1 - 2 ** -53))).toEqual([
      499, 999, 14_999, 14_999,
    ])
    expect([reconnectWaitMs(3, null, 0), reconnectWaitMs(3, 60_000, 0.9)]).toEqual([250, 60_000])
  })
})
