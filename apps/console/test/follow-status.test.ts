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
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 250, 500])
    expect(sent[0]?.headers).toEqual({ accept: 'text/event-stream', authorization: 'Bearer t' })
    const ended = { kind: 'lost', message: 'The gateway ended the connection' }
    const [connecting, live] = [{ kind: 'connecting' }, { kind: 'live' }]
    expect(connections).toEqual([connecting, live, ended, connecting, live, ended, connecting, { kind: 'refused' }])
  })

  test('is opened again not before the gateway asked for it, and ever more rarely', async () => {
    const busy = (): Response => new Response(null, { status: 429, headers: { 'retry-after': '20' } })
    const down = (): Response => new Response(null, { status: 503 })
    const { sent, connections } = await follow([busy, down, down, down])
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 20_000, 21_000, 23_000, 27_000])
    expect(connections[1]).toEqual({ kind: 'lost', message: 'Rate limited — server asked to retry in 20 s' })
  })

  test('waits within bounds', () => {
    expect([0, 1, 5, 60].map((failures) => reconnectWaitMs(failures, null, 1 - 2 ** -53))).toEqual([
      499, 999, 14_999, 14_999,
    ])
    expect([reconnectWaitMs(3, null, 0), reconnectWaitMs(3, 60_000, 0.9)]).toEqual([250, 60_000])
  })
})
