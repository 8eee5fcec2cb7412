import { describe, expect, it } from 'vitest'
import { type Answer, type ScriptedFetch, scriptedFetch } from '../src/index.js'
import { testClock } from './test-clock.js'

const URL_ = 'https://service.test/items'

function script(...answers: Answer[]): ScriptedFetch & { clock: ReturnType<typeof testClock> } {
  const clock = testClock(0)
  return { ...scriptedFetch({ answers, clock }), clock }
}

describe('answers', () => {
  it('come in turn, each after its time, and the last repeats', async () => {
    const { fetch, sends, clock } = script(
      { status: 429, headers: { 'retry-after': '2' }, after_ms: 30 },
      { status: 200 },
    )
    const first = await clock.run(fetch(URL_))
    const second = await clock.run(fetch(URL_))
    const third = await clock.run(fetch(URL_))

    expect([first.status, second.status, third.status]).toEqual([429, 200, 200])
    expect(first.headers.get('retry-after')).toBe('2')
    expect(sends.map(({ atMs, endedAtMs }) => [atMs, endedAtMs])).toEqual([
      [0, 30],
      [30, 30],
      [30, 30],
    ])
  })

  it('are at least one', () => {
    expect(() => script()).toThrow('answers is empty; give what the first send meets')
  })

  it('have no body where HTTP has none', async () => {
    const { fetch, clock } = script({ status: 204 }, { status: 200 })
    expect((await clock.run(fetch(URL_))).body).toBeNull()
    expect((await clock.run(fetch(URL_, { method: 'HEAD' }))).body).toBeNull()
  })

  it('stop after maxSends, so that an endless loop comes to an end', async () => {
    const clock = testClock(0)
    const { fetch, sends } = scriptedFetch({ answers: [{ status: 429 }], clock, maxSends: 3 })
    const forever = async (): Promise<never> => {
      for (;;) await fetch(URL_)
    }
    await expect(clock.run(forever())).rejects.toThrow('nothing is left to fire')
    expect(sends).toHaveLength(4)
  })
})

describe('a send', () => {
  it('is recorded with time, method, url, headers and body, however it is given', async () => {
    const { fetch, sends, clock } = script({ status: 200, after_ms: 5 })
    await clock.run(fetch(URL_, { method: 'post', headers: { 'X-One': '1' }, body: 'text' }))
    await clock.run(fetch(new URL(URL_)))
    const request = new Request(URL_, { method: 'PUT', headers: { 'x-two': '2' }, body: new Blob(['blob']) })
    await clock.run(fetch(request))

    expect(sends).toMatchObject([
      { atMs: 0, method: 'POST', url: URL_, headers: { 'x-one': '1' }, body: 'text' },
      { atMs: 5, method: 'GET', url: URL_, body: '' },
      { atMs: 10, method: 'PUT', url: URL_, headers: { 'x-two': '2' }, body: 'blob' },
    ])
  })

  it('takes a stream once, and refuses what fetch refuses without counting it', async () => {
    const { fetch, sends, clock } = script({ status: 200 })
    const stream = new Request(URL_, { method: 'POST', body: 'once' })
    await clock.run(fetch(stream))
    await expect(fetch(stream)).rejects.toThrow(TypeError)
    await expect(fetch('not a url')).rejects.toThrow(TypeError)
    await expect(fetch(URL_, { method: 'TRACE' })).rejects.toThrow(TypeError)
    await expect(fetch(URL_, { body: 'a GET with a body' })).rejects.toThrow(TypeError)
    expect(sends).toHaveLength(1)
  })
})

describe('a failure', () => {
  const failed = async (failure: string): Promise<unknown> => {
    const { fetch, clock } = script({ failure, after_ms: 0 })
    return clock.run(fetch(URL_)).catch((error: unknown) => error)
  }

  it('to connect is a TypeError whose cause has the code', async () => {
    const error = await failed('connect')
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
  })

  it('of the network has its code in the cause, deeper, or among the errors of an AggregateError', async () => {
    expect(await failed('network:ECONNRESET')).toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(await failed('network:EPIPE')).toMatchObject({ cause: { cause: { code: 'EPIPE' } } })
    expect(await failed('network:ETIMEDOUT')).toMatchObject({ cause: { errors: [{ code: 'ETIMEDOUT' }, {}] } })
  })

  it('that is a timeout with a time is a DOMException named TimeoutError', async () => {
    const error = await failed('timeout')
    expect(error).toBeInstanceOf(DOMException)
    expect(error).toMatchObject({ name: 'TimeoutError' })
  })

  it('that is a timeout without a time is never answered, but obeys its signal', async () => {
    const { fetch, sends, clock } = script({ failure: 'timeout' })
    const controller = new AbortController()
    const pending = fetch(URL_, { signal: controller.signal })
    await expect(clock.run(pending)).rejects.toThrow('nothing is left to fire')
    clock.timer(70, () => controller.abort('enough'))
    await expect(clock.run(pending)).rejects.toBe('enough')
    expect(sends[0]?.endedAtMs).toBe(70)
  })

  it('of another name is told', async () => {
    expect(await failed('broken')).toMatchObject({
      cause: { message: 'failure is "broken"; allowed: connect, timeout, network:<CODE>' },
    })
  })
})

describe('an abort', () => {
  it('rejects a pending send with the reason itself and leaves no timer', async () => {
    const { fetch, sends, clock } = script({ status: 200, after_ms: 1000 })
    const controller = new AbortController()
    const reason = new Error('the caller left')
    clock.timer(10, () => controller.abort(reason))
    await expect(clock.run(fetch(URL_, { signal: controller.signal }))).rejects.toBe(reason)
    expect(sends[0]?.endedAtMs).toBe(10)
    expect(clock.pending()).toBe(0)
  })

  it('before the send rejects and sends nothing; a Request brings its own signal', async () => {
    const { fetch, sends } = script({ status: 200 })
    const signal = AbortSignal.abort('gone')
    await expect(fetch(URL_, { signal })).rejects.toBe('gone')
    await expect(fetch(new Request(URL_, { signal }))).rejects.toBe('gone')
    expect(sends).toHaveLength(0)
  })

  it('set for the moment of the answer wins over it', async () => {
    const { fetch, clock } = script({ status: 200 })
    const controller = new AbortController()
    clock.timer(0, () => controller.abort('first'))
    await expect(clock.run(fetch(URL_, { signal: controller.signal }))).rejects.toBe('first')
  })
})

describe('a body', () => {
  it('is let go when read to the end, cancelled, or aborted, and not before', async () => {
    const { fetch, bodyReleased, clock } = script({ status: 503, body: 'why' }, { status: 200 })
    const controller = new AbortController()
    const read = await clock.run(fetch(URL_))
    const cancelled = await clock.run(fetch(URL_))
    const aborted = await clock.run(fetch(URL_, { signal: controller.signal }))
    await clock.run(fetch(URL_))
    expect(bodyReleased()).toBe(0)

    expect(await read.text()).toBe('why')
    expect(bodyReleased()).toBe(1)
    await cancelled.body?.cancel()
    expect(bodyReleased()).toBe(2)
    controller.abort(new Error('stop'))
    await expect(aborted.text()).rejects.toThrow('stop')
    expect(bodyReleased()).toBe(3)
  })

  it('is not let go by its first bytes alone', async () => {
    const { fetch, bodyReleased, clock } = script({ status: 200, body: 'bytes' })
    const reader = (await clock.run(fetch(URL_))).body?.getReader()
    expect((await reader?.read())?.value?.byteLength).toBe(5)
    expect(bodyReleased()).toBe(0)
    expect((await reader?.read())?.done).toBe(true)
    expect(bodyReleased()).toBe(1)
  })
})
