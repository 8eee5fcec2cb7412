import { VirtualClock } from '@sluice/core/testing'
import { expect, it } from 'vitest'
import { CALL_ID_HEADER, CountingTransport } from '../src/counting-transport.js'

/** Answers in turn; the last one repeats. */
function scripted(clock: VirtualClock, ...answers: readonly Response[]) {
  let next = 0
  const fetch = async () => (answers[Math.min(next++, answers.length - 1)] ?? Response.error()).clone()
  const transport = new CountingTransport({ fetch, clock })
  const send = (id: string) => transport.fetch('http://localhost/', { headers: { [CALL_ID_HEADER]: id } })
  return { transport, send }
}

const refusal = (retryAfter?: string) =>
  new Response('', { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

it('counts a send one ms before the stated time as early, and one at that time not', async () => {
  const clock = new VirtualClock()
  const { transport, send } = scripted(clock, refusal('2'))
  await send('a')
  await clock.advance(1999)
  await send('a') // early, and told 2 s anew
  await clock.advance(2000)
  await send('a')
  expect(transport.traffic).toEqual({ sends: 3, refusals: 3, earlyKnocks: 1 })
})

it('counts from the arrival of the answer, not from the send', async () => {
  const clock = new VirtualClock()
  const fetch = async () => {
    await new Promise<void>((resolve) => clock.timer(300, resolve))
    return refusal('1')
  }
  const transport = new CountingTransport({ fetch, clock })
  const send = () => clock.run(transport.fetch('http://localhost/', { headers: { [CALL_ID_HEADER]: 'a' } }))
  await send()
  await clock.advance(999)
  await send()
  expect(transport.traffic.earlyKnocks).toBe(1)
})

it('holds no call to what another was told', async () => {
  const clock = new VirtualClock()
  const { transport, send } = scripted(clock, refusal('10'), Response.json({}))
  await send('a')
  await send('b')
  expect(transport.traffic).toEqual({ sends: 2, refusals: 1, earlyKnocks: 0 })
})

it('calls no knock early where no wait was stated', async () => {
  const clock = new VirtualClock()
  const { transport, send } = scripted(clock, refusal(), refusal('soon'), refusal('0'))
  for (let sends = 0; sends < 4; sends += 1) await send('a')
  expect(transport.traffic).toEqual({ sends: 4, refusals: 4, earlyKnocks: 0 })
})

it('counts a send that failed, and passes the failure on', async () => {
  const failure = new TypeError('fetch failed')
  const transport = new CountingTransport({ fetch: () => Promise.reject(failure), clock: new VirtualClock() })
  await expect(transport.fetch('http://localhost/', { headers: { [CALL_ID_HEADER]: 'a' } })).rejects.toBe(failure)
  expect(transport.traffic).toEqual({ sends: 1, refusals: 0, earlyKnocks: 0 })
})

it('refuses to guess whose send it is', async () => {
  const { transport } = scripted(new VirtualClock(), Response.json({}))
  await expect(transport.fetch('http://localhost/')).rejects.toThrow('a send without the header x-request-id')
  expect(transport.traffic.sends).toBe(0)
})
