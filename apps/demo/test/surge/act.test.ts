import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { systemClock } from '@sluice/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SurgeFigures } from '../../src/surge/figures.js'
import type { NodeLimit } from '../../src/surge/onlooker.js'
import { playSurge, type Scene } from '../../src/surge/surge.js'

const sluice = fileURLToPath(new URL('../../../../packages/cli/bin/sluice.js', import.meta.url)) // turbo.json has it built

/** One window as the live limiter and the replay know it. */
type Window = readonly [p90Ms: number | null, limit: number, baselineMs: number | null]

describe('the surge, played once and short', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-surge-'))
  const record = join(folder, 'trace.ndjson')
  const scenes: Scene[] = []
  let figures: SurgeFigures
  let replayed: {
    recorded: boolean
    replays: { points: ReplayPoint[]; whole: { samples: number; throttles: number } }[]
  }

  interface ReplayPoint {
    readonly p90Ms: number | null
    readonly limit: number
    readonly baselineMs: number | null
  }

  beforeAll(async () => {
    figures = await playSurge({
      cores: availableParallelism(),
      lengths: { lead: 500, calm: 2500, job: 2500, after: 1000, smoothing: 1000 },
      clock: systemClock,
      random: Math.random,
      // Nearer to 1 than 1.4 and 1.2: whatever else this machine does, the job makes the engine slower than that.
      limit: { backoffRatio: 1.05, recoveryRatio: 1.02 },
      signal: new AbortController().signal,
      record,
      onScene: (scene) => scenes.push(scene),
    })
    const { stdout } = await promisify(execFile)(process.execPath, [sluice, 'replay', record, '--json'])
    replayed = JSON.parse(stdout)
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  const limited = (): readonly NodeLimit[] =>
    scenes.flatMap(({ phase, limit }) => (phase === 'limited' && limit !== null ? [limit] : []))

  it('answers every question, the job’s included: nobody sees a 429', () => {
    for (const { refusals, answers, counted } of [figures.free, figures.limited]) {
      expect(refusals).toEqual([])
      expect(answers).toBeGreaterThan(30)
      expect(counted).toEqual({ requests: answers, refusals: 0 })
    }
  })

  it('lowers the limit by latency alone while the job runs past it', () => {
    expect(Math.min(...limited().map(({ limit }) => limit))).toBeLessThan(8)
    expect(new Set(limited().map(({ throttle_ceiling }) => throttle_ceiling))).toEqual(new Set([8]))
    expect(new Set(limited().map(({ past_limit }) => past_limit))).toEqual(new Set([0, 1]))
    const free = scenes.flatMap(({ phase, limit }) => (phase === 'free' && limit !== null ? [limit.limit] : []))
    expect(new Set(free)).toEqual(new Set([8]))
  })

  it('is recorded: sluice replay shows the same limits as the live run, window for window', () => {
    const replay = replayed.replays[0]
    const windows = (replay?.points ?? []).flatMap(({ p90Ms, limit, baselineMs }): Window[] =>
      p90Ms === null ? [] : [[p90Ms, limit, baselineMs]],
    )
    const live: Window[] = []
    for (const { p90_ms, limit, baseline_ms } of limited()) {
      const seen: Window = [p90_ms, limit, baseline_ms]
      if (p90_ms !== null && JSON.stringify(seen) !== JSON.stringify(live.at(-1))) live.push(seen)
    }
    // The status is read four times a second, so that one of a busy machine may pass over a window; and the file goes on
    // for a moment after the last reading. Whatever was seen is a window of the replay, in the same order.
    const known = new Set(live.map((window) => JSON.stringify(window)))
    expect(windows.filter((window) => known.has(JSON.stringify(window)))).toEqual(live)
    expect(live.length).toBeGreaterThanOrEqual(Math.max(4, windows.length - 4))
    // The limiter is made with 8. The knee may go where it stays as the first window closes, so one limit can be all.
    expect(Math.min(...live.map(([, limit]) => limit))).toBeLessThan(8)
  })

  it('has each answer that came through the limiter in its file, with the limiter’s making and settings before them', () => {
    const [head = '', ...lines] = readFileSync(record, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(head).trace).toMatchObject({
      ...{ version: 1, window_ms: 1000, min_samples: 10, max_concurrent: 8, floor: null },
      ...{
        smoothing_time_constant_ms: 1000,
        backoff_ratio: 1.05,
        expected_p90_ms: figures.expectedP90Ms,
        latency_control: true,
      },
    })
    expect(lines).toHaveLength(figures.limited.answers)
    expect(replayed.recorded).toBe(true)
    expect(replayed.replays[0]?.whole).toMatchObject({ samples: lines.length, throttles: 0 })
  })

  it('leaves no folder of an engine behind', () => {
    expect(readdirSync(folder)).toEqual(['trace.ndjson'])
  })
})
