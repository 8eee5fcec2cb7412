import { type LimitOptions, limitOptions, QueueTimeoutError } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { expect, it } from 'vitest'
import { LimitedNode } from '../../src/limit/limited-node.js'
import { logLimit } from '../../src/limit/log-limit.js'
import { NodeLimiter } from '../../src/limit/node-limiter.js'
import type { LogFields, Logger } from '../../src/logger.js'
import type { NodeAnswer, QueryNode } from '../../src/nodes/node.js'

/** A node that answers after so long. */
const nodeOf = (clock: VirtualClock, ms: () => number): QueryNode => ({
  name: 'node',
  state: 'up',
  query() {
    const nodeElapsedMs = ms()
    const answer = new Promise<NodeAnswer>((resolve) =>
      clock.timer(nodeElapsedMs, () => resolve({ body: '', rows: 0, elapsedMs: nodeElapsedMs, nodeElapsedMs })),
    )
    return { answer, ended: answer.then(() => undefined) }
  },
  async ping() {},
  async close() {},
})

function setup(limit: LimitOptions, ms: () => number, expectedP90Ms?: number) {
  const clock = new VirtualClock()
  const lines: { atMs: number; message: string; fields: LogFields }[] = []
  const at = (message: string, fields: LogFields = {}) => void lines.push({ atMs: clock.now(), message, fields })
  const logger: Logger = { info: at, warn: at, error: at }
  const options = limitOptions(limit)
  const { queueTimeoutMs } = options
  const nodeLimiter = new NodeLimiter({ limit: options, expectedP90Ms }, clock)
  const onRefused = logLimit(nodeLimiter.semaphore, 'n1', { logger, clock, queueTimeoutMs })
  const given = { maxHeldMs: queueTimeoutMs, maxPerTenant: 500, onRefused }
  const limited = new LimitedNode(nodeOf(clock, ms), nodeLimiter, given)
  const rejected = () => lines.filter(({ message }) => message === 'queue_rejected')
  let refused = 0
  /** Asks until then, and again after so long whether it was answered or not. */
  const caller = async (untilMs: number, againMs: number): Promise<void> => {
    while (clock.now() < untilMs) {
      await limited.query({ sql: '', params: {}, timeoutMs: 60_000 }, 'acme').catch(() => refused++)
      await new Promise<void>((resolve) => clock.timer(againMs, resolve))
    }
  }
  return { clock, lines, rejected, caller, limited, refused: () => refused, limiter: nodeLimiter.semaphore }
}

const sum = (lines: readonly { fields: LogFields }[], field: string): number =>
  lines.reduce((all, { fields }) => all + Number(fields[field] ?? 0), 0)

it('tells of refused queries once a second at most, with how many there were, whoever does not back off', async () => {
  const { clock, rejected, caller, refused, limiter } = setup({ maxConcurrent: 2, maxQueue: 2 }, () => 50)
  for (let i = 0; i < 40; i++) void caller(15_000, 100)
  await clock.advance(15_000)
  const lines = rejected()
  expect(lines).toHaveLength(15)
  for (const [i, { atMs }] of lines.entries()) expect(atMs - (lines[i - 1]?.atMs ?? -1000)).toBeGreaterThanOrEqual(1000)
  expect(lines[0]?.fields).toMatchObject({
    node: 'n1',
    rejected: 1,
    queueFull: 1,
    shedding: false,
    limit: 2,
    queued: 2,
  })
  expect(lines[1]?.fields.rejected).toBeGreaterThan(100)
  // Those of the last second are told when somebody looks after it, and all of them are told once.
  await clock.advance(10_000)
  limiter.snapshot()
  await clock.advance(1)
  expect(refused()).toBeGreaterThan(4000)
  expect(rejected()).toHaveLength(16)
  expect([sum(rejected(), 'rejected'), sum(rejected(), 'queueFull')]).toEqual([refused(), refused()])
})

it('says which were shed and waited less, and which waited too long', async () => {
  const limit = { maxConcurrent: 2, windowMs: 1000, minSamples: 1, overdraftMs: 3000, queueTimeoutMs: 5000 }
  const { clock, rejected, caller } = setup(limit, () => 400, 100)
  for (let i = 0; i < 60; i++) void caller(20_000, 10)
  await clock.advance(20_000)
  const lines = rejected().map(({ atMs, fields }) => [
    atMs,
    fields.shedding,
    ...['shed', 'queueTimeout'].filter((reason) => fields[reason] !== undefined),
  ])
  // It is as slow with the limit open, so that the present is accepted at 10 s (L21): nobody is shed any more, and they wait for 5 s.
  expect(lines).toEqual([
    ...[3000, 4000, 5000, 6000, 7000, 8000, 9000].map((atMs) => [atMs, true, 'shed']),
    [10_000, false, 'shed'],
    ...[14_976, 16_000, 19_986].map((atMs) => [atMs, false, 'queueTimeout']),
  ])
})

it('says how many waited too long', async () => {
  const { clock, rejected, caller } = setup({ maxConcurrent: 1, queueTimeoutMs: 200 }, () => 10_000)
  for (let i = 0; i < 3; i++) void caller(1, 10_000)
  await clock.advance(300)
  await clock.advance(10_000)
  const lines = rejected()
  expect([sum(lines, 'rejected'), sum(lines, 'queueTimeout'), sum(lines, 'shed')]).toEqual([2, 2, 0])
})

it('does not count a query that left, and tells every change of the limit', async () => {
  const { clock, lines, limited, limiter } = setup({ maxConcurrent: 2, windowMs: 1000, minSamples: 1 }, () => 300, 100)
  const leaving = new AbortController()
  const asked = [1, 2].map(() => limited.query({ sql: '', params: {}, timeoutMs: 1 }, 'acme'))
  const left = limited.query({ sql: '', params: {}, timeoutMs: 1, signal: leaving.signal }, 'acme').catch((e) => e)
  leaving.abort()
  expect(await left).not.toBeInstanceOf(QueueTimeoutError)
  await clock.advance(1000)
  await Promise.all(asked)
  limiter.snapshot()
  await clock.advance(1)
  expect(lines.map(({ message }) => message)).toEqual(['latency_backoff'])
  expect(lines[0]?.fields).toMatchObject({ node: 'n1', limit: 1, p90Ms: 300, trust: 'provisional' })
})
