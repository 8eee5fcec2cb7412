import { readFileSync } from 'node:fs'
import { AdaptiveSemaphore, isQueueTimeout, type LimitOptions, type Prior } from '@sluice/core'
import { LimitReplay, type ReplaySample } from '@sluice/core/replay'
import { VirtualClock } from '@sluice/core/testing'
import { camel } from '@sluice/core/words'
import { describe, expect, test } from 'vitest'

// A trace gives the limits of the live limiter, to the window: that of a row of the table, and one of calls that wait.

interface Step {
  window?: { latency_ms: number; count: number; slow?: { latency_ms: number; count: number }; times?: number }
  throttle?: { retry_after_ms: number | null }
  sample?: { latency_ms: number; count?: number; timeout?: boolean }
  failure?: number
  advance_ms?: number
  expect?: Record<string, unknown>
}
interface Row {
  id: string
  config?: Record<string, unknown>
  steps: Step[]
}

const table = JSON.parse(readFileSync(new URL('../../../../spec/backoff-scenarios.json', import.meta.url), 'utf8')) as {
  config: Record<string, unknown>
  cases: Row[]
} // the table's schema is checked elsewhere

/** What a trace can tell: attempts and time. Nobody asks for a slot or resets anything. */
const KNOWN = ['window', 'throttle', 'sample', 'failure', 'advance_ms', 'expect']
const rows = table.cases.filter(
  ({ steps, config = {} }) =>
    steps.length > 0 &&
    steps.every((step) => Object.keys(step).every((key) => KNOWN.includes(key))) &&
    Object.values(config).every((value) => value !== null),
)

const optionsOf = ({ config = {} }: Row): { limit: LimitOptions; prior: Prior | null } => {
  const { prior, expected_p90_ms: expected, ...fields } = { ...table.config, ...config } as Record<string, unknown>
  const expects = expected ? { p90_ms: Number(expected), windows: 0 } : null
  const given = (prior ?? expects) as { p90_ms: number; windows: number } | null
  return {
    limit: Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value])),
    prior: given ? { p90Ms: given.p90_ms, windows: given.windows } : null,
  }
}

/** The row's steps as a trace, from 0. */
function traceOf({ steps }: Row, windowMs: number): { trace: ReplaySample[]; endMs: number } {
  const trace: ReplaySample[] = []
  let atMs = 0
  for (const { window, throttle, sample, failure, advance_ms = 0 } of steps) {
    if (window) {
      atMs = Math.ceil(atMs / windowMs) * windowMs
      for (let i = 0; i < (window.times ?? 1); i++, atMs += windowMs)
        for (const { latency_ms, count } of [window, ...(window.slow ? [window.slow] : [])])
          trace.push({ atMs, latencyMs: latency_ms, count })
    }
    if (throttle) trace.push({ atMs, latencyMs: 1, status: 429, retryAfterMs: throttle.retry_after_ms })
    if (sample) trace.push({ atMs, latencyMs: sample.latency_ms, count: sample.count, timeout: sample.timeout })
    if (failure) trace.push({ atMs, latencyMs: 1, status: 500, count: failure })
    atMs += advance_ms
  }
  return { trace, endMs: atMs }
}

const EPOCH = 1_750_000_000_123

describe('rows of backoff-scenarios', () => {
  test('there are many of them', () => expect(rows.length).toBeGreaterThan(70))

  test.each(rows.map((row) => [row.id, row] as const))('%s', async (_, row) => {
    const { limit, prior } = optionsOf(row)
    const windowMs = Number(limit.windowMs)
    const { trace, endMs } = traceOf(row, windowMs)
    if (trace.length === 0) return expect(row.steps.every((step) => !step.window)).toBe(true)

    const replayed = new Map<number, unknown>()
    const replay = new LimitReplay({
      ...{ limit, prior, originMs: EPOCH },
      onWindow: ({ index, limit: now, baselineMs, ratio }) => replayed.set(index, { limit: now, baselineMs, ratio }),
    })
    for (const sample of trace) replay.add({ ...sample, atMs: EPOCH + sample.atMs })
    const { whole } = replay.finish()

    const clock = new VirtualClock()
    const live = new AdaptiveSemaphore({ ...limit, ...(prior && { prior }), clock })
    const pass = async (toMs: number): Promise<void> => {
      while (clock.now() < toMs) {
        const next = (Math.floor(clock.now() / windowMs) + 1) * windowMs
        await clock.advance(Math.min(toMs, next) - clock.now())
        if (clock.now() !== next) continue
        const { limit: now, baselineMs, ratio } = live.snapshot()
        const seen = replayed.get(next / windowMs - 1)
        if (seen !== undefined) expect(seen).toEqual({ limit: now, baselineMs, ratio })
      }
    }
    for (const { atMs, latencyMs, count = 1, status, timeout, retryAfterMs = null } of trace) {
      await pass(atMs)
      if (status === 429) live.report({ kind: 'throttle', retryAfterMs })
      else
        for (let i = 0; i < count; i++)
          live.report(status === 500 ? { kind: 'failure' } : { kind: timeout ? 'timeout' : 'success', latencyMs })
    }
    await pass(Math.max(endMs, (Math.max(...replayed.keys()) + 1) * windowMs))
    expect(replayed.size).toBe(whole.windows)
    expect(whole.windows).toBeGreaterThan(0)
  })
})

describe('calls through a knee', () => {
  const limit: LimitOptions = {
    ...{ maxConcurrent: 16, floor: 4, windowMs: 1000, minSamples: 10, warmupWindows: 5, smoothingTimeConstantMs: 2000 },
    ...{ smoothingSamples: 50, overdraftMs: 4000 },
  }
  /** Either takes 40 ms as a rule: one gets slow for ten seconds by what is in flight, one by itself. */
  const byNumber = (atMs: number, inFlight: number) => (atMs >= 10_000 && atMs < 20_000 ? 20 + 8 * inFlight : 40)
  const byItself = (atMs: number) => (atMs >= 10_000 && atMs < 25_000 ? 130 : 40)

  /** Forty callers, one question after the other, for 32 seconds. */
  async function live(latencyOf: (atMs: number, inFlight: number) => number) {
    const clock = new VirtualClock()
    const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve))
    const limiter = new AdaptiveSemaphore({ ...limit, clock, queueTimeoutMs: 2000 })
    const trace: ReplaySample[] = []
    let shed = 0
    const ask = async (): Promise<void> => {
      const slot = await limiter.acquire()
      const latencyMs = latencyOf(clock.now(), limiter.snapshot().inFlight)
      await pass(latencyMs)
      const { inFlight } = limiter.snapshot()
      trace.push({ atMs: EPOCH + clock.now(), latencyMs, inFlight, waitedMs: slot.waitedMs })
      slot.report({ kind: 'success', latencyMs })
      slot.release()
    }
    const caller = async (index: number): Promise<void> => {
      await pass(index * 7)
      for (; clock.now() < 32_000; await pass(150 + (index % 9)))
        await ask().catch((error) => {
          if (!isQueueTimeout(error)) throw error
          shed++
        })
    }
    const callers = Array.from({ length: 40 }, (_, index) => caller(index))
    const windows: unknown[] = []
    for (let window = 1; window <= 31; window++) {
      await clock.advance(1000)
      const { limit, p90Ms, baselineMs, ratio, shedding } = limiter.snapshot()
      windows.push({ limit, p90Ms, baselineMs, ratio, shedding })
    }
    await clock.run(Promise.all(callers))
    return { trace, windows, shed }
  }

  function replayed(trace: readonly ReplaySample[]) {
    const windows: unknown[] = []
    const replay = new LimitReplay({
      ...{ limit, originMs: EPOCH },
      onWindow: ({ limit, p90Ms, baselineMs, ratio, shedding }) =>
        windows.push({ limit, p90Ms, baselineMs, ratio, shedding }),
    })
    for (const sample of trace) replay.add(sample)
    return { whole: replay.finish().whole, windows: windows.slice(0, 31) }
  }

  const limitsOf = (windows: readonly unknown[]): number[] => windows.map((it) => (it as { limit: number }).limit)

  test('slow by their number: it falls, bears more while they wait (L19), and lets go of some (L20)', async () => {
    const { trace, windows, shed } = await live(byNumber)
    const { whole, windows: same } = replayed(trace)
    expect(same).toEqual(windows)
    expect(limitsOf(windows).slice(9, 15)).toEqual([16, 7, 5, 6, 7, 5])
    expect([whole.latencyFalls, whole.acceptances]).toEqual([4, 0])
    const sheddingAt = windows.flatMap((it, index) => ((it as { shedding: boolean }).shedding ? [index] : []))
    expect(sheddingAt).toEqual([14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26])
    expect([whole.windows, whole.sheddingWindows, whole.sheddingShare]).toEqual([33, 13, 13 / 33])
    expect(shed).toBeGreaterThan(100) // who was let go is no sample: the trace knows nothing of them
  })

  test('slow by itself: it asks, and accepts (L21)', async () => {
    const { trace, windows } = await live(byItself)
    const { whole, windows: same } = replayed(trace)
    expect(same).toEqual(windows)
    const slow = limitsOf(windows).slice(10, 25)
    expect([slow.slice(0, 4), Math.min(...slow), slow.at(-1)]).toEqual([[8, 5, 4, 4], 4, 16])
    expect(windows[24]).toMatchObject({ ratio: expect.closeTo(1, 1), baselineMs: expect.closeTo(130, 0) })
    expect(whole.acceptances).toBe(1)
  })

  test('without what was in flight and who waited it is another limit', async () => {
    const { trace, windows } = await live(byNumber)
    const other = replayed(trace.map(({ atMs, latencyMs }) => ({ atMs, latencyMs })))
    expect(other.windows).not.toEqual(windows)
    expect([other.whole.sheddingWindows, other.whole.sheddingShare]).toEqual([null, null]) // nobody said who waited
  })
})
