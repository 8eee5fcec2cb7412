import { readFileSync } from 'node:fs'
import { AdaptiveSemaphore, type LimitOptions, type Prior } from '@sluice/core'
import { LimitReplay, type ReplaySample } from '@sluice/core/replay'
import { VirtualClock } from '@sluice/core/testing'
import { camel } from '@sluice/core/words'
import { describe, expect, test } from 'vitest'

// A trace whose windows are those of a row of the table gives the limits of the live limiter, to the window.

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
    steps.every((step) => Object.keys(step).every((key) => KNOWN.includes(key))) &&
    Object.values(config).every((value) => value !== null),
)

const optionsOf = ({ config = {} }: Row): { limit: LimitOptions; prior: Prior | null } => {
  const { prior, ...fields } = { ...table.config, ...config } as Record<string, unknown>
  const given = prior as { p90_ms: number; windows: number } | null | undefined
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
