import { type LimitOptions, limitOptions, QueueFullError, QueueTimeoutError, ThrottledError } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, it } from 'vitest'
import { LimitedNode } from '../../src/limit/limited-node.js'
import { NodeLimiter } from '../../src/limit/node-limiter.js'
import { TenantQueueFullError } from '../../src/limit/tenant-queue-full-error.js'
import { EngineError } from '../../src/nodes/engine-error.js'
import type { NodeAnswer, NodeQuery, QueryNode } from '../../src/nodes/node.js'
import { NodeUnavailableError } from '../../src/nodes/node-unavailable-error.js'
import { QueryTimeoutError } from '../../src/nodes/query-timeout-error.js'

/** A query that a test ends as it likes: the answer, and apart from it the end of what runs. */
class Running {
  resolve: (answer: NodeAnswer) => void = () => undefined
  reject: (error: unknown) => void = () => undefined
  end: () => void = () => undefined
  readonly answer = new Promise<NodeAnswer>((resolve, reject) => Object.assign(this, { resolve, reject }))
  readonly ended = new Promise<void>((resolve) => Object.assign(this, { end: resolve }))

  answers(nodeElapsedMs: number): void {
    this.resolve({ body: '{}', rows: 0, elapsedMs: 1, nodeElapsedMs })
    this.end()
  }

  fails(error: unknown): void {
    this.reject(error)
    this.end()
  }
}

class FakeNode implements QueryNode {
  readonly name = 'fake'
  readonly state = 'up'
  readonly queries: Running[] = []
  /** What was asked, as it was begun. */
  readonly begun: string[] = []

  query({ sql }: NodeQuery): Running {
    const running = new Running()
    this.queries.push(running)
    this.begun.push(sql)
    return running
  }
  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  nth(index: number): Running {
    const running = this.queries[index]
    if (running === undefined) throw new Error(`only ${this.queries.length} queries were begun`)
    return running
  }
}

function setup(options: LimitOptions, maxPerTenant = 500) {
  const clock = new VirtualClock()
  const node = new FakeNode()
  const limit = limitOptions({ windowMs: 1000, minSamples: 1, ...options })
  const nodeLimiter = new NodeLimiter({ limit, expectedP90Ms: undefined }, clock)
  const { semaphore: limiter } = nodeLimiter
  const limited = new LimitedNode(node, nodeLimiter, { maxHeldMs: 10_000, maxPerTenant })
  const ask = (signal?: AbortSignal, tenant = 'acme'): Promise<unknown> => {
    const query: NodeQuery = { sql: 'SELECT 1', params: {}, timeoutMs: 500, ...(signal && { signal }) }
    return limited.query(query, tenant).then(
      () => 'answered',
      (error: unknown) => error,
    )
  }
  return { clock, node, limiter, limited, ask }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('LimitedNode', () => {
  it('begins as many queries as the limit allows, the next when one has ended', async () => {
    const { node, limiter, ask } = setup({ maxConcurrent: 2 })
    const asked = [ask(), ask(), ask()]
    await turn()
    expect(node.queries).toHaveLength(2)
    expect(limiter.snapshot()).toMatchObject({ inFlight: 2, queued: 1 })
    node.nth(1).answers(5)
    await turn()
    expect(node.queries).toHaveLength(3)
    node.nth(0).answers(5)
    node.nth(2).answers(5)
    expect(await Promise.all(asked)).toEqual(['answered', 'answered', 'answered'])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
  })

  it('keeps the slot of a killed query until nothing of it runs', async () => {
    const { node, limiter, ask } = setup({ maxConcurrent: 1 })
    const [first, second] = [ask(), ask()]
    await turn()
    node.nth(0).reject(new QueryTimeoutError(500))
    expect(await first).toBeInstanceOf(QueryTimeoutError)
    await turn()
    expect(node.queries).toHaveLength(1)
    expect(limiter.snapshot().inFlight).toBe(1)
    node.nth(0).end()
    await turn()
    expect(node.queries).toHaveLength(2)
    node.nth(1).answers(1)
    expect(await second).toBe('answered')
  })

  it.each([
    ['the node’s own time, not that of the call', (it: Running) => it.answers(70), 70],
    ['a timeout, as long as it was waited for', (it: Running) => it.fails(new QueryTimeoutError(500)), 500],
    ['no other failure', (it: Running) => it.fails(new EngineError('bad', 60, 'q1')), null],
    ['no client that left', (it: Running) => it.fails(new Error('left')), null],
    ['no node that was away', (it: Running) => it.fails(new NodeUnavailableError('away', 1000)), null],
    ['no throttle', (it: Running) => it.fails(new EngineError('memory', 241, 'q1')), null],
  ])('measures %s', async (_, finish, p90Ms) => {
    const { clock, node, limiter, ask } = setup({ maxConcurrent: 8 })
    const asked = ask()
    await clock.advance(300)
    finish(node.nth(0))
    await asked
    await clock.advance(700)
    expect(limiter.snapshot().p90Ms).toBe(p90Ms)
  })

  it.each([241, 202, 252])(
    'halves the limit when the engine answers with code %i, before the slot is free',
    async (code) => {
      const { node, limiter, limited, ask } = setup({ maxConcurrent: 2 })
      const asked = [ask(), ask(), ask()]
      await turn()
      expect(limited.throttles).toBe(0)
      node.nth(0).fails(new EngineError('short of something', code, 'q1'))
      await turn()
      expect(limited.throttles).toBe(1)
      expect(limiter.snapshot()).toMatchObject({ limit: 1, throttleCeiling: 1, inFlight: 1, queued: 1 })
      expect(node.queries).toHaveLength(2) // the third has to wait for the second now
      node.nth(1).answers(1)
      await turn()
      node.nth(2).answers(1)
      expect((await Promise.all(asked)).slice(1)).toEqual(['answered', 'answered'])
    },
  )

  it('counts each of several that come together, and halve the limit once', async () => {
    const { node, limiter, limited, ask } = setup({ maxConcurrent: 8 })
    const asked = [ask(), ask(), ask()]
    await turn()
    for (const n of [0, 1, 2]) node.nth(n).fails(new EngineError('short of something', 241, 'q1'))
    await Promise.all(asked)
    expect([limited.throttles, limiter.snapshot().throttleCeiling]).toEqual([3, 4])
  })

  it.each([60, undefined])('does not halve it for code %s', async (code) => {
    const { node, limiter, limited, ask } = setup({ maxConcurrent: 2 })
    const asked = ask()
    await turn()
    node.nth(0).fails(new EngineError('refused', code, 'q1'))
    await asked
    expect([limiter.snapshot().limit, limited.throttles]).toEqual([2, 0])
  })

  it('lets a client that waits leave at once, and gives its place to the next', async () => {
    const { node, limiter, ask } = setup({ maxConcurrent: 1, maxQueue: 1 })
    const client = new AbortController()
    const [first, second] = [ask(), ask(client.signal)]
    await turn()
    expect(await ask()).toBeInstanceOf(QueueFullError)
    const reason = new Error('left')
    client.abort(reason)
    expect(await second).toBe(reason)
    const third = ask() // there is room for it now
    expect(limiter.snapshot().queued).toBe(1)
    node.nth(0).answers(1)
    await turn()
    node.nth(1).answers(1)
    expect(await Promise.all([first, third])).toEqual(['answered', 'answered'])
    expect(node.queries).toHaveLength(2)
  })

  it('lets one past the limit at once, which takes no slot and is no sample', async () => {
    const { clock, node, limiter, limited, ask } = setup({ maxConcurrent: 1 })
    const first = ask()
    await turn()
    const past = limited.queryPastLimit({ sql: 'SELECT 1', params: {}, timeoutMs: 500 })
    expect(node.queries).toHaveLength(2)
    expect([limiter.snapshot().inFlight, limited.pastLimit]).toEqual([1, 1])
    node.nth(1).answers(400)
    expect(await past).toMatchObject({ nodeElapsedMs: 400 })
    await turn()
    expect(limited.pastLimit).toBe(0)
    node.nth(0).answers(5)
    await first
    await clock.advance(1000)
    expect(limiter.snapshot().p90Ms).toBe(5)
  })

  it('refuses who waited too long, and at once who would be held too long', async () => {
    const { clock, node, limiter, ask } = setup({ maxConcurrent: 1, queueTimeoutMs: 3000 })
    const [first, second] = [ask(), ask()]
    await clock.advance(3001)
    expect(await second).toBeInstanceOf(QueueTimeoutError)
    limiter.report({ kind: 'throttle', retryAfterMs: 20_000 })
    expect(await ask()).toMatchObject({ reason: 'held', retryAfterMs: 20_000 })
    expect(await ask()).toBeInstanceOf(ThrottledError)
    node.nth(0).answers(1)
    expect(await first).toBe('answered')
    expect(node.queries).toHaveLength(1)
  })

  it('is unavailable once the gateway has closed, also for who waits', async () => {
    const { limiter, ask } = setup({ maxConcurrent: 1 })
    void ask()
    await turn()
    const second = ask()
    await turn()
    limiter.dispose()
    expect(await second).toBeInstanceOf(NodeUnavailableError)
    expect(await ask()).toBeInstanceOf(NodeUnavailableError)
  })
})

describe('LimitedNode before several tenants', () => {
  /** Asks as tenants do, `a0` and `a1` as `a`. `endAll` ends what runs one by one, and tells who had a slot, in their order. */
  function setupLine(options: LimitOptions = { maxConcurrent: 1 }, maxPerTenant = 500) {
    const it = setup(options, maxPerTenant)
    const { begun } = it.node
    const ask = (sql: string, signal?: AbortSignal): Promise<unknown> => {
      const query = { sql, params: {}, timeoutMs: 500, ...(signal && { signal }) }
      return it.limited.query(query, sql.replace(/\d+$/, '')).then(
        () => 'answered',
        (error: unknown) => error,
      )
    }
    const endAll = async () => {
      for (let i = 0; i < it.node.queries.length; i++) {
        it.node.nth(i).answers(1)
        await turn()
      }
      return begun
    }
    return { ...it, ask, begun, endAll }
  }

  it('has one wait for one query of each other tenant, however many it has waiting itself', async () => {
    const { ask, begun, endAll } = setupLine({ maxConcurrent: 1, maxQueue: 1000 })
    for (let i = 0; i < 500; i++) void ask(`hog${i}`)
    void ask('b0')
    for (const name of ['c0', 'c1', 'b1']) void ask(name)
    await turn()
    expect(begun).toEqual(['hog0'])
    expect((await endAll()).slice(0, 9)).toEqual(['hog0', 'hog1', 'b0', 'c0', 'hog2', 'b1', 'c1', 'hog3', 'hog4'])
    expect(begun).toHaveLength(504)
    expect(begun.filter((name) => name.startsWith('hog'))).toEqual(Array.from({ length: 500 }, (_, i) => `hog${i}`))
  })

  it('has those leave at once whose client left, and their tenant keep its turn', async () => {
    const { ask, endAll, limiter } = setupLine()
    const client = new AbortController()
    void ask('a0')
    void ask('a1')
    const left = ask('b0', client.signal)
    for (const name of ['b1', 'c0', 'a2']) void ask(name)
    await turn()
    client.abort(new Error('left'))
    expect(await left).toEqual(new Error('left'))
    expect(limiter.snapshot().queued).toBe(4)
    expect(await endAll()).toEqual(['a0', 'a1', 'b1', 'c0', 'a2'])
  })

  it('has those give up who waited too long, and their tenant keep its turn', async () => {
    const { clock, ask, endAll } = setupLine({ maxConcurrent: 1, queueTimeoutMs: 3000 })
    void ask('a0')
    void ask('c0')
    const [late] = [ask('b0'), await clock.advance(1500)]
    for (const name of ['c1', 'b1', 'a1']) void ask(name)
    await clock.advance(1502)
    expect(await late).toBeInstanceOf(QueueTimeoutError)
    expect(await endAll()).toEqual(['a0', 'c1', 'b1', 'a1'])
  })

  it('starts them in turn after a hold, too (L10)', async () => {
    const { clock, ask, begun, limiter } = setupLine({ maxConcurrent: 4 })
    limiter.report({ kind: 'throttle', retryAfterMs: 2000 })
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b0', 'c0']) void ask(name)
    await clock.advance(2600)
    expect(begun).toEqual(['a0', 'b0'])
    await clock.advance(400)
    expect(begun).toEqual(['a0', 'b0', 'c0'])
  })

  it('refuses one that has its share of the places, and has places left for the others', async () => {
    const { ask, endAll, limiter } = setupLine({ maxConcurrent: 1, maxQueue: 8 }, 2)
    const asked = ['a0', 'a1', 'a2', 'a3', 'b0', 'b1'].map((name) => ask(name))
    expect(await asked[3]).toEqual(new TenantQueueFullError(2))
    expect(limiter.snapshot().queued).toBe(4)
    const client = new AbortController()
    client.abort(new Error('left'))
    expect(await ask('a4', client.signal)).toEqual(new Error('left'))
    expect(await endAll()).toEqual(['a0', 'a1', 'b0', 'a2', 'b1'])
    expect(await Promise.all([asked[0], asked[2], asked[5]])).toEqual(['answered', 'answered', 'answered'])
  })
})
