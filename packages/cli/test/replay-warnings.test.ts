import { describe, expect, test } from 'vitest'
import { CSV, replay, T0 } from './replay-trace.js'

describe('what it warns of, on stderr', () => {
  const scaled = (by: number) =>
    CSV.replace(/,(\d+),50$/gm, (_, ms) => `,${Number(ms) * by},50`).replace('latency_ms', 'took')
  test.each([
    [
      'latency that looks like seconds',
      scaled(0.001),
      [],
      'half of the first latencies in took are 0.1 or less: they look like seconds',
    ],
    ['like microseconds', scaled(1000), [], 'took are 100000 or more: they look like microseconds; --latency-unit us'],
    ['like nanoseconds', scaled(1e6), [], 'took are 100000000 or more: they look like nanoseconds; --latency-unit ns'],
    ['time that looks like ms', CSV.replace(/^2026[^,]*/gm, '5'), [], '5 is taken for seconds since 1970'],
    ['a warm-up that did not end', CSV, ['--warmup-windows', '86'], 'latency could not move the limit; --expected-p90'],
    ['windows too sparse', CSV, ['--min-samples', '50,51'], '--min-samples 51: no window has the 51 samples'],
  ])('%s', async (_, input, argv, warning) => {
    const column = input.includes('took') ? ['--latency-column', 'took'] : []
    const { code, stderr } = await replay(input, ...argv, ...column)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: .*\n/)
    expect(stderr).toContain(warning)
  })

  test.each([
    [0.001, '0.1 or less: they look like seconds, though its name says ms; --latency-unit s if they are'],
    [1000, '100000 or more: they look like microseconds, though its name says ms; --latency-unit us if they are'],
  ])('a column whose name says ms is doubted too: %d', async (by, warning) => {
    const named = scaled(by).replace('took', 'latency_ms')
    const { code, stderr } = await replay(named)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`Warning: half of the first latencies in latency_ms are ${warning}`),
    ])
    expect((await replay(named, '--latency-unit', 'ms')).stderr).toBe('')
    // The name of another unit is what figures are in, and not what they look like in ms.
    expect((await replay(named.replace('latency_ms', 'latency_us'))).stderr).toBe('')
  })

  test('a few ms and a fraction are believed where the name says ms; a recorded trace is, whatever it holds', async () => {
    expect((await replay(scaled(0.0325).replace('took', 'latency_ms'))).stderr).toBe('')
    expect((await replay(scaled(0.0325), '--latency-column', 'took')).stderr).toContain('they look like seconds')
    const trace = { version: 1, created_at_ms: T0, min_samples: 1, expected_p90_ms: 0.2 }
    const recorded = [JSON.stringify({ trace }), JSON.stringify({ time: T0, latency_ms: 0.25 })].join('\n')
    expect(await replay(recorded, '--format', 'ndjson')).toMatchObject({ code: 0, stderr: '' })
  })

  test('--period, whose table a comparison has no room for', async () => {
    const { stderr } = await replay(CSV, '--backoff-ratio', '1.2,1.4', '--period', '5m')
    expect(stderr).toBe(
      'Warning: --period: a comparison is of the whole trace; --json has the periods of each, and so has one choice alone\n',
    )
    expect((await replay(CSV, '--period', '5m')).stderr).toBe('')
    expect((await replay(CSV, '--backoff-ratio', '1.2,1.4', '--period', '5m', '--json')).stderr).toBe('')
  })

  test('not where the unit was given', async () => {
    expect(await replay(scaled(0.001), '--latency-column', 'took', '--latency-unit', 'ms')).toMatchObject({
      stderr: '',
    })
  })
})
