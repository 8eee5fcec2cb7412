import { expect, it } from 'vitest'
import { noColour } from '../../src/colour.js'
import { surgeIntroduction, surgeReport } from '../../src/surge/report.js'
import { sceneLine } from '../../src/surge/scene-line.js'
import { sketch } from '../../src/surge/sketch.js'
import { LENGTHS } from '../../src/surge/surge.js'
import { figures, part } from './part.js'

it('shows the figures as a table', () => {
  expect(surgeReport(figures(), noColour).split('\n').slice(0, 5)).toEqual([
    '                    job took  × alone  answers/s  p90 engine  p90 in all  limit',
    'job alone              3.5 s      1.0',
    'callers alone                                 38       80 ms       85 ms',
    'beside the callers    10.5 s      3.0         26      240 ms      300 ms      8',
    'with the limiter       8.1 s      2.3         20      180 ms      600 ms      4',
  ])
})

it('shows the steps beside the knee where both were played', () => {
  const windowed = part(9000, [[-900, 8], [6600, 6]]) // biome-ignore format: pairs
  const lines = surgeReport(figures({ windowed }), noColour).split('\n')
  expect(lines.slice(3, 6)).toEqual([
    'beside the callers    10.5 s      3.0         26      240 ms      300 ms      8',
    'with its steps         9.0 s      2.6         26      240 ms      300 ms      6',
    'with its knee          8.1 s      2.3         20      180 ms      600 ms      4',
  ])
  expect(lines.filter((line) => /^(Second by|with its|and with)/.test(line)).slice(2)).toEqual([
    'Second by second, without the limiter',
    'with its steps (windowed)',
    'and with its knee',
  ])
  expect(surgeIntroduction(2, LENGTHS, true).replaceAll('\n', ' ')).toContain(
    'It is played three times: without the adaptive limit, with its steps (windowed) and with its knee, the default.',
  )
})

it('draws limit, p90 and job second by second, on one scale for all parts', () => {
  const it = part(5100, [[-900, 8], [2500, 8], [6600, 6], [7600, 4]]) // biome-ignore format: pairs
  expect(sketch(it, { limit: [0, 8], p90: [0, 320] })).toEqual([
    'limit  ██████▆▅▅▅▅▅  4 to 8',
    'p90    ▃▃▃▃▃▃▅▅▅▅▅▅  80 to 160 ms',
    'job        ━━━━━━',
  ])
})

it('leaves a gap where nothing is known yet, and says so where nothing ever was', () => {
  const unknown = part(2000, [[1500, 8]])
  expect(sketch({ ...unknown, endMs: 3000 }, { limit: [0, 8], p90: [0, 80] })[1]).toBe('p90     ██  80 ms')
  const never = { ...unknown, sights: [{ atMs: 0, limit: 8, p90_ms: null, ratio: null }] }
  expect(sketch({ ...never, endMs: 2000 }, { limit: [0, 8], p90: [0, 80] })[1]).toBe('p90        unknown')
})

it('is 80 columns wide at most, also where it is not to be trusted', () => {
  const doubtful = figures({ free: part(99_999, [[0, 8]], { refusals: [429] }) })
  const texts = [surgeIntroduction(64, LENGTHS), surgeReport(figures(), noColour), surgeReport(doubtful, noColour)]
  texts.push(surgeIntroduction(64, LENGTHS, true))
  for (const text of texts) expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(texts[2]).toContain('These figures are not to be trusted:\n1 light questions were answered with status 429')
  expect(texts[2]).not.toContain('no 429')
})

it('has one line for what the gateway says now', () => {
  const limit = {
    ...{
      limit: 6,
      throttle_ceiling: 8,
      latency_ceiling: 6,
      in_flight: 6,
      queued: 12,
      past_limit: 1,
      throttles: 0,
      max_concurrent: 8,
      controller: 'knee' as const,
    },
    ...{ p90_ms: 180.4, smoothed_ms: 150, baseline_ms: 75.2, ratio: 1.918, baseline_trust: 'provisional' as const },
    ...{ shedding: false, overdraft_left_ms: 120_000, hold_until: null, window_ms: 1000 },
  }
  expect(sceneLine({ phase: 'windowed', jobMs: 14_321, limit })).toMatch(/^Steps 6\/8, job 14s: in flight 6 /)
  expect(sceneLine({ phase: 'limited', jobMs: 14_321, limit })).toBe(
    'Limit 6/8, job 14s: in flight 6 queued 12 p90 180 ms baseline 75 ms ratio 1.92',
  )
  // A terminal of 80 columns shows 79: of a longer line the ratio would be cut.
  expect(sceneLine({ phase: 'windowed', jobMs: 14_321, limit: { ...limit, p90_ms: 1180 } })).toHaveLength(79)
  const unknown = { ...limit, p90_ms: null, ratio: null }
  expect(sceneLine({ phase: 'limited', jobMs: null, limit: unknown })).toBe(
    'Limit 6/8, no job: in flight 6 queued 12 p90 - baseline 75 ms ratio -',
  )
  expect(sceneLine({ phase: 'free', jobMs: 2000, limit })).toBe(
    'No limiter, job 2s: 8 slots, in flight 6 queued 12 p90 180 ms',
  )
  expect(sceneLine({ phase: 'measuring', jobMs: null, limit: null })).toMatch(/^Measuring/)
})
