import { describe, expect, it } from 'vitest'
import { type EngineSession, SessionPool } from '../src/engine/session-pool.js'

class FakeSession implements EngineSession {
  closed = false
  async queryAsync(): Promise<{ text(): string }> {
    return { text: () => '' }
  }
  async insert(): Promise<void> {}
  close(): void {
    this.closed = true
  }
}

function setup(size: number, maxWaiting: number) {
  const opened: FakeSession[] = []
  const pool = new SessionPool(
    () => {
      const session = new FakeSession()
      opened.push(session)
      return session
    },
    size,
    maxWaiting,
  )
  return { pool, opened }
}

/** Work that ends when told to. */
function held(pool: SessionPool, signal: AbortSignal = new AbortController().signal) {
  let end: (how: 'well' | 'badly') => void = () => undefined
  let started = false
  const result = pool.run((session) => {
    started = true
    return new Promise<EngineSession>((resolve, reject) => {
      end = (how) => (how === 'well' ? resolve(session) : reject(new Error('failed')))
    })
  }, signal)
  result.catch(() => undefined) // awaited by the test
  return { result, end: (how: 'well' | 'badly') => end(how), started: () => started }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('SessionPool', () => {
  it('runs as many as it has sessions, the rest in order', async () => {
    const { pool, opened } = setup(2, 9)
    const [a, b, c, d] = [held(pool), held(pool), held(pool), held(pool)]
    await turn()
    expect([a, b, c, d].map((it) => it.started())).toEqual([true, true, false, false])
    b.end('well')
    await turn()
    expect([c, d].map((it) => it.started())).toEqual([true, false])
    for (const it of [a, c]) it.end('well')
    await turn()
    d.end('well')
    await Promise.all([a, b, c, d].map((it) => it.result))
    expect(opened).toHaveLength(2)
  })

  it('never gives a session again whose query failed', async () => {
    const { pool, opened } = setup(1, 9)
    const [a, b] = [held(pool), held(pool)]
    await turn()
    a.end('badly')
    await turn()
    b.end('well')
    await expect(a.result).rejects.toThrow('failed')
    expect(await b.result).toBe(opened[1])
    expect(opened.map((it) => it.closed)).toEqual([true, false])
  })

  it('refuses one more than may wait, with the code for too many simultaneous queries', async () => {
    const { pool } = setup(1, 1)
    const [a, b] = [held(pool), held(pool)]
    await expect(held(pool).result).rejects.toMatchObject({ clickhouseCode: 202 })
    await turn()
    a.end('well')
    await turn()
    b.end('well')
    await Promise.all([a.result, b.result])
  })

  it('lets a waiting query leave the line, and never starts it', async () => {
    const { pool } = setup(1, 1)
    const leave = new AbortController()
    const first = held(pool)
    const second = held(pool, leave.signal)
    leave.abort(new Error('gone'))
    await expect(second.result).rejects.toThrow('gone')
    const third = held(pool) // its place in the line is free again
    await turn()
    first.end('well')
    await turn()
    expect(second.started()).toBe(false)
    third.end('well')
    await third.result
  })
})
