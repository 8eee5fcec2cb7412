import { VirtualClock } from '@sluice/core/testing'
import { Quota } from '@sluice/ingest'
import { describe, expect, it } from 'vitest'
import type { Client } from '../src/clients/client.js'
import { naive } from '../src/clients/naive.js'
import { plain } from '../src/clients/plain.js'
import { sluice, sluiceBackground } from '../src/clients/sluice.js'
import { type PlayOptions, play, type Stage } from '../src/play.js'
import { QUOTA } from '../src/service.js'
import { workFor } from '../src/work.js'

/** The gateway's own quota on virtual time, 5 ms away. */
function world(changes: Partial<PlayOptions> = {}) {
  const clock = new VirtualClock()
  const stages: Stage[] = []
  const quota = new Quota({ ...QUOTA, clock })
  const fetch = async (_: unknown, init?: RequestInit) => {
    init?.signal?.throwIfAborted()
    await new Promise<void>((resolve) => clock.timer(5, resolve))
    const { isAdmitted, retryAfterMs } = quota.take('a-token', 'pipes')
    if (isAdmitted) return Response.json({ data: [{ flights: '1' }] })
    const headers = { 'retry-after': String(Math.ceil((retryAfterMs ?? 0) / 1000)) }
    return Response.json({ title: 'Quota exceeded' }, { status: 429, headers })
  }
  const options: PlayOptions = {
    urls: workFor(20).map((path) => `http://localhost${path}`),
    token: 'a-token-of-this-test',
    fetch,
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    onStage: (stage) => stages.push(stage),
    ...changes,
  }
  return { clock, stages, options, run: (client: Client) => clock.run(play(client, options)) }
}

describe('20 calls at once, 5 at once and 5 a second allowed', () => {
  it('a plain fetch loses what is above the quota', async () => {
    expect(await world().run(plain)).toMatchObject({ calls: 20, sends: 20, refusals: 15, earlyKnocks: 0, failures: 15 })
  })

  it('a naive loop knocks early each time and still loses some', async () => {
    const { sends, earlyKnocks, failures, refusals } = await world().run(naive)
    expect(earlyKnocks).toBe(sends - 20)
    expect(refusals).toBe(sends - 20 + failures)
    expect([sends, failures]).toEqual([119, 6])
  })

  it('@sluice/fetch never knocks early, loses none, and sends far less', async () => {
    const figures = await world().run(sluice)
    expect(figures).toMatchObject({ earlyKnocks: 0, failures: 0, broken: 0 })
    expect(figures.sends).toBeLessThanOrEqual(50)
    expect(figures.elapsedMs).toBeLessThan(3800)
  })

  it.each([0, 0.25, 0.75, 1 - Number.EPSILON])('whatever the draw: %d', async (draw) => {
    expect(await world({ random: () => draw }).run(sluice)).toMatchObject({ earlyKnocks: 0, failures: 0 })
  })

  it('its background preset gets through three times as much, where the interactive one gives calls back', async () => {
    const urls = workFor(60).map((path) => `http://localhost${path}`)
    const somebodyWaits = await world({ urls }).run(sluice)
    expect(somebodyWaits.failures).toBeGreaterThan(30)
    expect(somebodyWaits.sends).toBeLessThanOrEqual(240)
    expect(await world({ urls }).run(sluiceBackground)).toMatchObject({ earlyKnocks: 0, failures: 0 })
  })
})

it('reports each stage: done only grows, and waiting ends at none', async () => {
  const { run, stages } = world()
  await run(sluice)
  const done = stages.map((stage) => stage.done)
  expect(done).toEqual([...done].sort((a, b) => a - b))
  expect(Math.max(...stages.map(({ waiting = 0 }) => waiting))).toBe(15)
  expect(stages.at(-1)).toEqual({ name: '@sluice/fetch', calls: 20, done: 20, waiting: 0 })
})

it('does not say how many wait where the client cannot tell', async () => {
  const { run, stages } = world()
  await run(naive)
  expect(stages.every(({ waiting }) => waiting === undefined)).toBe(true)
})

it('tells calls that broke from those that were refused', async () => {
  const answers = [
    Response.json({ data: [] }),
    new Response('<html>'),
    Response.json({}),
    Response.json({}, { status: 500 }),
  ]
  const fetch = async () => {
    const answer = answers.shift()
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer
  }
  const urls = workFor(5).map((path) => `http://localhost${path}`)
  expect(await world({ fetch, urls }).run(plain)).toMatchObject({ calls: 5, failures: 4, broken: 4, refusals: 0 })
})

it.each([naive, sluice])('ends with the reason when it is aborted: $name', async (client) => {
  const controller = new AbortController()
  const { clock, options } = world({ signal: controller.signal })
  const reason = new Error('enough')
  const ended = play(client, options).catch((error: unknown) => error)
  await clock.advance(500)
  controller.abort(reason)
  await clock.advance(300)
  expect(await ended).toBe(reason)
  expect(clock.pending()).toBe(0)
})
