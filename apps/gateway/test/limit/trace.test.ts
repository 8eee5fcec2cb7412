import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AttemptReport, Clock } from '@sluice/core'
import { limitOptions } from '@sluice/core'
import { LimitReplay } from '@sluice/core/replay'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LimitReport, NodeLimiter } from '../../src/limit/node-limiter.js'
import { TraceFile } from '../../src/limit/trace-file.js'
import { traceHead, traceLine } from '../../src/limit/trace-lines.js'
import { silentLogger } from '../../src/logger.js'

/** A clock like the system's: of fractions of a millisecond, from no round moment on. */
class HandClock implements Clock {
  nowMs = 1234.567891
  now = () => this.nowMs
  wallNow = () => 1_767_268_800_123.7
  timer = () => () => undefined
}

describe('NodeLimiter', () => {
  const pace = { maxConcurrent: 8, windowMs: 1000, minSamples: 1, smoothingTimeConstantMs: 6000 }

  it.each([
    ['windowed', { smoothingSamples: 0 }],
    ['knee', { smoothingSamples: 10, overdraftMs: 5000 }],
  ] as const)(
    'tells moments that are in the same window when they are replayed as epoch time: %s',
    async (controller, own) => {
      const limit = limitOptions({ ...pace, controller, ...own })
      const clock = new HandClock()
      const reports: LimitReport[] = []
      const limiter = new NodeLimiter({ limit, expectedP90Ms: 10 }, clock, (it) => reports.push(it))
      expect(limiter.createdAtMs).toBe(1_767_268_800_124)
      const replayed: unknown[] = []
      const live: unknown[] = []
      const slots = await Promise.all(Array.from({ length: 8 }, () => limiter.semaphore.acquire()))
      const waiting = limiter.semaphore.acquire()
      clock.nowMs += 40.000007
      slots.pop()?.release()
      const late = await waiting
      // Each around the end of a window, which is not where the clock began but a little before: at 1234.5.
      for (let window = 1; window <= 60; window++) {
        for (const offMs of [-0.2, -0.0001, 0, 0.0001, 0.2]) {
          clock.nowMs = 1234.5 + window * 1000 + offMs
          const slot = offMs === 0 ? late : slots[0]
          // Slower from one window to the next, so that no two of them look the same, whatever the limit makes of it.
          const latencyMs = (window < 30 ? 20 : 8) + window / 100 + offMs
          if (slot) limiter.report(slot, { kind: 'success', latencyMs })
        }
        const { limit, p90Ms, ratio } = limiter.semaphore.snapshot()
        live.push({ limit, p90Ms, ratio })
      }
      const replay = new LimitReplay({
        ...{ limit, prior: { p90Ms: 10, windows: 0 }, originMs: limiter.createdAtMs },
        onWindow: ({ limit, p90Ms, ratio }) => replayed.push({ limit, p90Ms, ratio }),
      })
      for (const { atMs, report, inFlight, waitedMs } of reports) {
        expect(JSON.parse(JSON.stringify(atMs))).toBe(atMs)
        replay.add({ atMs, latencyMs: 'latencyMs' in report ? report.latencyMs : Number.NaN, inFlight, waitedMs })
      }
      expect(new Set(reports.map(({ inFlight, waitedMs }) => `${inFlight} ${Math.round(waitedMs * 1e6)}`))).toEqual(
        new Set(['8 0', '8 40000007']),
      )
      expect(replayed).toEqual(live)
      expect(new Set(live.map((it) => JSON.stringify(it))).size).toBeGreaterThan(50)
      expect(live).toContainEqual(expect.objectContaining({ limit: 4 }))
      expect(live.at(-1)).toMatchObject({ limit: 8 })
    },
  )
})

describe('a trace', () => {
  it('says first how its limiter was set', () => {
    const config = { limit: limitOptions({ maxConcurrent: 9, windowMs: 1000 }), expectedP90Ms: undefined }
    expect(JSON.parse(traceHead(config, 5))).toEqual({
      trace: {
        ...{
          version: 1,
          created_at_ms: 5,
          controller: 'knee',
          smoothing_samples: 1200,
          overdraft_ms: 120_000,
          shedding: true,
        },
        ...{ max_concurrent: 9, floor: null, window_ms: 1000, min_samples: 50 },
        ...{ warmup_windows: 30, smoothing_time_constant_ms: 20_000, baseline_time_constant_ms: 86_400_000 },
        ...{ backoff_ratio: 1.2, recovery_ratio: 1.1, decrease_factor: 0.75, max_freeze_ms: 21_600_000 },
        ...{ max_hold_ms: 60_000, latency_control: true, shadow: false, expected_p90_ms: null },
      },
    })
    const floored = { limit: limitOptions({ maxConcurrent: 9, floor: 1 }), expectedP90Ms: 20 }
    expect(JSON.parse(traceHead(floored, 5)).trace).toMatchObject({ floor: 1, expected_p90_ms: 20 })
  })

  it.each<[AttemptReport, object]>([
    [
      { kind: 'success', latencyMs: 1.5 },
      { latency_ms: 1.5, status: 200 },
    ],
    [
      { kind: 'timeout', latencyMs: 500 },
      { latency_ms: 500, status: 504, timeout: true },
    ],
    [
      { kind: 'throttle', retryAfterMs: null },
      { latency_ms: null, status: 429, retry_after_ms: null },
    ],
    [
      { kind: 'throttle', retryAfterMs: 2000 },
      { latency_ms: null, status: 429, retry_after_ms: 2000 },
    ],
    [{ kind: 'failure' }, { latency_ms: null, status: 500 }],
  ])('has a line for %j', (report, line) => {
    const told = { atMs: 17.125, report, inFlight: 3, waitedMs: 4.5 }
    expect(JSON.parse(traceLine(told))).toEqual({ timestamp: 17.125, in_flight: 3, waited_ms: 4.5, ...line })
  })
})

describe('TraceFile', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-trace-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('holds each line once it is closed, and is begun again', async () => {
    const path = join(folder, 'trace.ndjson')
    const head = '{"trace":{}}'
    for (const lines of [[head, 'b'], [head]]) {
      const file = await TraceFile.open(path, silentLogger)
      for (const line of lines) file.write(line)
      await file.close()
      expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''))
    }
  })

  it.each(['{"tokens":[]}', '{', 'time,latency_ms\n'])('replaces no file that holds %j', async (text) => {
    const path = join(folder, 'tokens.json')
    writeFileSync(path, text)
    const error = {
      code: 'BAD_CONFIG',
      message: `options: record ${path} is there, and is no recorded trace; name another, or remove it`,
    }
    await expect(TraceFile.open(path, silentLogger)).rejects.toMatchObject(error)
    expect(readFileSync(path, 'utf8')).toBe(text)
    writeFileSync(path, '')
    await (await TraceFile.open(path, silentLogger)).close()
  })

  it('says which file cannot be written', async () => {
    const path = join(folder, 'none', 'trace.ndjson')
    const error = { code: 'BAD_CONFIG', message: expect.stringContaining(`${path} cannot be written (ENOENT)`) }
    await expect(TraceFile.open(path, silentLogger)).rejects.toMatchObject(error)
  })

  it.skipIf(!existsSync('/dev/full'))('ends by itself, with a word in the log, where the disk fails', async () => {
    const errors: unknown[] = []
    const logger = { ...silentLogger, error: (message: string, fields: unknown) => errors.push([message, fields]) }
    const file = await TraceFile.open('/dev/full', logger)
    file.write('a')
    await expect.poll(() => errors).toHaveLength(1)
    file.write('b')
    await file.close()
    expect(errors).toEqual([
      ['trace not recorded any more', { file: '/dev/full', error: expect.stringContaining('ENOSPC') }],
    ])
  })
})
