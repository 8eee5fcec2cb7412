import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from '@sluice/cli'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryWorld } from './memory-world.js'
import { CSV, iso, latencies, replay, T0 } from './replay-trace.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

const data = async (input: string, ...argv: string[]) => {
  const { code, stdout, stderr } = await replay(input, '--json', ...argv)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** L6 is easily worked out by hand: 35, 26, 19, 17. */
const WINDOWED = ['--controller', 'windowed']

describe('what it shows', () => {
  test('text: the mean limit, when it backed off and when it was back, a sketch', async () => {
    const { code, stdout, stderr } = await replay(CSV, ...WINDOWED)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('stdin: 4300 attempts, 2026-01-01T12:00:00Z to 2026-01-01T12:14:20Z\n')
    expect(stdout).toContain('86 windows of 10s, 86 of them with the 50 samples it takes to count\n')
    expect(stdout).toMatch(/^2026-01-01T12:07:00Z {2}2026-\S+Z {6}17 {2}latency$/m)
    expect(stdout).toMatch(/^p90 {4}▁+▅█+▁+ {2}100ms to 300ms$/m)
    expect(stdout).toMatch(/^limit {2}█+.*▁.*█ {2}17 to 35$/m)
  })

  test('JSON: the limit of each window, and what it is summed up to', async () => {
    const { replays, warnings, file: name } = await data(CSV, ...WINDOWED)
    expect([name, warnings, replays.length]).toEqual(['stdin', [], 1])
    const [{ points, whole, backoffs, windowsPerPoint, thresholds, periods }] = replays
    expect([windowsPerPoint, points.length, periods]).toEqual([1, 86, []])
    expect(thresholds).toMatchObject({ controller: 'windowed', backoffRatio: 1.4 })
    const limits = points.map(({ limit }: { limit: number }) => limit)
    // smoothed reaches 1.4 times the baseline in the second slow window: 35, 26, 19, 17.
    expect(limits.slice(39, 46)).toEqual([35, 35, 26, 19, 17, 17, 17])
    expect(limits.at(-1)).toBe(35)
    expect(whole.throttledWindows).toBe(limits.filter((limit: number) => limit < 35).length)
    expect(backoffs).toMatchObject([{ fromMs: T0 + 420_000, lowestLimit: 17, latency: true, throttle: false }])
  })

  test('several values are compared in one table', async () => {
    const { stdout } = await replay(CSV, '--backoff-ratio', '1.3,4', '--window', '10s,20s')
    expect(
      stdout
        .split('\n')
        .slice(2, 7)
        .map((line) => line.split(/ {2,}/)[0]),
    ).toEqual([
      'thresholds',
      '--window 10s --backoff-ratio 1.3',
      '--window 10s --backoff-ratio 4',
      '--window 20s --backoff-ratio 1.3',
      '--window 20s --backoff-ratio 4',
    ])
    expect((await replay(CSV, '--window', '0.5m,60s')).stdout).toMatch(/^--window 0.5m .*\n--window 60s /m)
    expect(stdout).toMatch(/--backoff-ratio 4 +35\.0 +35 +0\.0 % +0 /)
  })

  test('one of a thing is one', async () => {
    const { stdout } = await replay(`time,latency_ms\n${iso(0)},300`, '--min-samples', '1', '--expected-p90', '100')
    expect(stdout).toContain('stdin: 1 attempt, ')
    expect(stdout).toContain('\n1 window of 10s, 1 of them with the 1 sample it takes to count\n')
  })

  test('the kill switch measures, and limits nothing', async () => {
    const { replays } = await data(CSV, '--no-latency')
    expect(replays[0].whole).toMatchObject({ meanLimit: 35, lowestLimit: 35, highestP90Ms: 300 })
  })

  test('an expected p90 protects from the first window', async () => {
    const { replays } = await data(`time,latency_ms,count\n${iso(0)},300,50`, '--expected-p90', '100')
    expect(replays[0].points).toMatchObject([{ limit: 17 }]) // L18: 1.5 in flight leave the floor
  })

  test('periods: by a column, and by the clock', async () => {
    const named = CSV.replace('count', 'count,period').replace(/50$/gm, '50,x')
    expect((await data(named)).replays[0].periods).toMatchObject([{ period: 'x', windows: 86 }])
    const { replays } = await data(named, '--period', '5m')
    expect(
      replays[0].periods.map(({ period, windows }: { period: string; windows: number }) => [period, windows]),
    ).toEqual([
      ['2026-01-01T12:00:00.000Z', 30],
      ['2026-01-01T12:05:00.000Z', 30],
      ['2026-01-01T12:10:00.000Z', 26],
    ])
  })
})

describe('what it reads', () => {
  const rows = (time: (ms: number) => unknown) => latencies.map((ms, i) => [time(i * 10_000), ms])
  test.each([
    ['epoch ms', (ms: number) => T0 + ms, []],
    ['epoch s', (ms: number) => (T0 + ms) / 1000, []],
    ['epoch µs', (ms: number) => (T0 + ms) * 1000, []],
    ['ISO with an offset', (ms: number) => iso(ms + 7_200_000).replace('Z', '+02:00'), []],
    [
      'ISO with an offset in hours',
      (ms: number) =>
        iso(ms + 7_200_000)
          .replace('T', ' ')
          .replace('Z', '+02'),
      [],
    ],
    ['ISO without a zone, which is UTC', (ms: number) => iso(ms).replace('T', ' ').replace('Z', ''), []],
    ['ms of another origin', (ms: number) => ms, ['--time-unit', 'ms']],
  ])('%s', async (_, time, argv) => {
    const text = rows(time).map(([at, ms]) => `${at},${ms},50`)
    const { replays } = await data(`time,latency_ms,count\n${text.join('\n')}`, ...argv, ...WINDOWED)
    const begins = argv.length > 0 ? 0 : T0
    expect(replays[0]).toMatchObject({ originMs: begins, backoffs: [{ fromMs: begins + 420_000 }] })
  })

  test('NDJSON, by its ending, with columns that come later', async () => {
    const lines = rows((ms) => T0 + ms).map(([ts, latency], i) =>
      JSON.stringify({ ts, latency, ...(i > 0 && { count: 50 }) }),
    )
    const path = file('trace.ndjson', `\uFEFF${lines.join('\r\n')}\n\n{"ts":${T0 + 9e6},"status":429}`)
    const { world, stdout } = memoryWorld({ argv: ['replay', path, '--json'] })
    expect(await run(world)).toBe(0)
    expect(JSON.parse(stdout()).replays[0].whole).toMatchObject({ samples: 4251, throttles: 1, throttleFalls: 1 })
  })

  test('NDJSON that is cut anywhere, within a letter too', async () => {
    const bytes = Buffer.from(
      rows((ms) => T0 + ms)
        .map(([ts, ms]) => `{"ts":${ts},"é":${ms},"count":50}`)
        .join('\n'),
    )
    const { world, stdout } = memoryWorld({
      argv: ['replay', '-', '--json', '--format', 'ndjson', '--latency-column', 'é'],
      stdin: Readable.from(Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1))),
    })
    expect(await run(world)).toBe(0)
    expect(JSON.parse(stdout()).replays[0].whole).toMatchObject({ samples: 4300 })
  })

  test('lines that end in several ways, and blank ones before the first', async () => {
    const plain = await replay(CSV, '--json')
    expect(plain.code).toBe(0)
    const [head, ...rows] = CSV.split('\n')
    const mixed = [`${head}\r\n`, ...rows.map((row, i) => row + (['\n', '\r\n', '\r'][i % 3] ?? ''))].join('')
    expect(await replay(mixed, '--json')).toEqual(plain)
    const json = rows.map((row) => row.replace(/(.*),(.*),(.*)/, '{"time":"$1","latency_ms":$2,"count":$3}')).join('\n')
    expect(await replay(` \n\r\n${json}`, '--json')).toEqual(plain)
  })

  test('quotes, other delimiters and names, units by name and by option', async () => {
    const text = latencies.map((ms, i) => `"${iso(i * 10_000)}";"a ""b"";c";${ms / 1000};50`)
    const named = `End;Path;duration_s;n\n${text.join('\n')}`
    const argv = ['--delimiter', ';', '--time-column', 'End', '--count-column', 'n']
    expect((await data(named, ...argv)).replays[0].whole.highestP90Ms).toBe(300)
    const taken = named.replace('duration_s', 'took')
    const byOption = await data(taken, ...argv, '--latency-column', 'took', '--latency-unit', 's')
    expect(byOption.replays[0].whole.highestP90Ms).toBe(300)
  })

  test('statuses: a 429 throttles and needs no latency, other failures are no samples, a timeout is one', async () => {
    const more = [',429,,', '1,503,,', '30000,504,,true', '1,0,,'].map((rest) => `${iso(860_000)},${rest}`)
    const text = CSV.replace('count', 'status,count,timeout').replace(/,50$/gm, ',200,50,')
    const { whole } = (await data([text, ...more].join('\n'))).replays[0]
    expect(whole).toMatchObject({ samples: 4301, throttles: 1, failures: 2 })
  })

  test('the wait that a throttle stated holds, and no second before its end brings anything back', async () => {
    const text = (stated: string) =>
      CSV.replace('count', 'status,count,retry_after_ms').replace(/,50$/gm, ',200,50,') +
      `\n${iso(870_000)},,429,,${stated}\n${iso(899_999)},100,200,1,`
    const lowest = async (stated: string, ...argv: string[]) =>
      (await data(text(stated), ...argv)).replays[0].points.at(-1).limit
    expect(await lowest('')).toBe(35)
    expect(await lowest('25000')).toBe(22) // 17, held for 25 of 30 s, and one a second since
    expect(await lowest('25000', '--max-hold', '20s')).toBe(27)
  })

  test('the grid begins at --origin', async () => {
    const { replays } = await data(CSV, '--origin', iso(-3000), ...WINDOWED)
    expect(replays[0]).toMatchObject({ originMs: T0 - 3000, backoffs: [{ fromMs: T0 - 3000 + 420_000 }] })
  })
})

describe('the knee', () => {
  /** Twelve hundred a window: what the knee smooths over. Six minutes are calm, then four take twice as long. */
  const rows = (more: (slow: boolean) => string, name = '') =>
    [
      `time,latency_ms,count${name}`,
      ...Array.from({ length: 60 }, (_, i) => `${iso(i * 10_000)},${i < 36 ? 100 : 200},1200${more(i >= 36)}`),
    ].join('\n')
  const limits = async (...given: Parameters<typeof data>) =>
    (await data(...given)).replays[0].points.slice(35, 42).map(({ limit }: { limit: number }) => limit)

  test('goes by what was in flight and by who waited', async () => {
    // L18: 24 of the 30 in flight, where they were 1.36 times as slow: of 20 s, ten are slow. Then it stays the least.
    const busy = rows(() => ',30', ',in_flight')
    expect(await limits(busy, '--floor', '1')).toEqual([35, 25, 21, 19, 19, 18, 18])
    // Without the column it is 12, then 24 in flight, by the latencies of a window.
    expect(
      await limits(
        rows(() => ''),
        '--floor',
        '1',
      ),
    ).toEqual([35, 14, 14, 14, 14, 14, 14])
    // L19: while callers wait for longer than an attempt takes, the backend bears more.
    const waiting = rows((slow) => `,30,${slow ? 150 : 0}`, ',in_flight,waited_ms')
    expect(await limits(waiting)).toEqual([35, 35, 35, 35, 35, 35, 35])
  })

  test('says in which windows calls would have been shed, where it is known who waited (L20)', async () => {
    // Two minutes are owed with the twelfth window of such waits, and it ends with none of them.
    const waiting = rows((slow) => `,30,${slow ? 150 : 0}`, ',in_flight,waited_ms')
    const { replays } = await data(waiting, '--period', '5m')
    expect(replays[0].whole).toMatchObject({ windows: 60, sheddingWindows: 13, sheddingShare: 13 / 60 })
    const ofPeriods = replays[0].periods.map(({ sheddingShare }: { sheddingShare: number }) => sheddingShare)
    expect(ofPeriods).toEqual([0, 13 / 30])
    const { stdout } = await replay(waiting, '--period', '5m')
    expect(stdout).toMatch(/^period +mean limit +lowest +throttled +shedding +p90/m)
    expect(stdout).toMatch(/^all +\S+ +21 +21\.7 % +21\.7 % /m)
    const compared = await replay(waiting, '--controller', 'knee,windowed')
    expect(compared.stdout).toMatch(/^--controller knee .* 21\.7 % +21\.7 % /m)
    expect(compared.stdout).toMatch(/^--controller windowed .* 31\.7 % +0\.0 % /m)

    const off = await data(waiting, '--no-shedding')
    expect(off.replays[0]).toMatchObject({ thresholds: { shedding: false }, whole: { sheddingWindows: 0 } })

    const unknown = rows(() => ',30', ',in_flight')
    expect((await data(unknown)).replays[0].whole).toMatchObject({ sheddingWindows: null, sheddingShare: null })
    expect((await replay(unknown)).stdout).not.toContain('shedding')
  })

  test('knows its columns by option, too, and takes seconds by name', async () => {
    const text = rows((slow) => `,30,${slow ? 0.15 : 0}`, ',running,waited_s')
    expect(await limits(text, '--in-flight-column', 'running')).toEqual(Array(7).fill(35))
    const other = rows((slow) => `,30,${slow ? 150 : 0}`, ',running,queue')
    expect(await limits(other, '--in-flight-column', 'running', '--waited-column', 'queue')).toEqual(Array(7).fill(35))
  })

  test('is compared with the other, each with its own defaults; an overdraft is a time', async () => {
    const { replays } = await data(CSV, '--controller', 'knee,windowed', '--overdraft', '2m')
    const thresholds = replays.map((it: { thresholds: object }) => it.thresholds)
    expect(replays.map(({ name }: { name: string }) => name)).toEqual(['--controller knee', '--controller windowed'])
    expect(thresholds).toMatchObject([
      { controller: 'knee', backoffRatio: 1.2, smoothingSamples: 1200, overdraftMs: 120_000 },
      { controller: 'windowed', backoffRatio: 1.4, smoothingSamples: 0, overdraftMs: 120_000 },
    ])
  })

  test('asks whether it is the load where the trace has the answer in it, and nowhere else (L21)', async () => {
    const own = { version: 1, created_at_ms: T0 }
    const lines = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ time: T0 + i * 10_000, latency_ms: i < 36 ? 100 : 200, count: 1200, in_flight: 30 }),
    )
    const lastOf = async (trace: object, ...argv: string[]): Promise<number> => {
      const text = [JSON.stringify({ trace }), ...lines].join('\n')
      const { stdout } = await replay(text, '--format', 'ndjson', '--json', ...argv)
      return JSON.parse(stdout).replays[0].points.at(-1).limit
    }
    // What was recorded of this very limit: it was opened, the trace was no slower, and so it is whole again.
    expect(await lastOf(own)).toBe(35)
    expect([await lastOf({ ...own, shadow: true }), await lastOf(own, '--floor', '16')]).toEqual([17, 17])
  })

  test('tells a limit that is open to ask whether it is us from one that is back (L21)', async () => {
    const own = { expected_p90_ms: 100, window_ms: 10_000, min_samples: 1, smoothing_time_constant_ms: 1 }
    const trace = { version: 1, created_at_ms: T0, controller: 'knee', smoothing_samples: 0, ...own }
    const shown = async (slow: readonly number[]) => {
      const rows = slow.map((latency_ms, i) => ({ time: T0 + i * 10_000, latency_ms, in_flight: 30 }))
      const { stdout } = await replay([{ trace }, ...rows].map((row) => JSON.stringify(row)).join('\n'))
      return stdout.slice(stdout.indexOf('backed off'), stdout.indexOf('\n\np90')).split('\n')
    }
    const head = ['', 'opened to ask whether it is us, which is no recovery (L21):']
    const open = [300, 400, 400]
    const us = [...Array<number>(7).fill(300), ...open]
    expect(await shown([...us, ...Array<number>(66).fill(300)])).toEqual([
      'backed off            recovered                          lowest  by',
      '2026-01-01T12:00:10Z  no, accepted 2026-01-01T12:12:10Z      17  latency',
      ...head,
      'asked at 2026-01-01T12:01:10Z, answered at 2026-01-01T12:01:40Z: it was us',
      'asked at 2026-01-01T12:11:40Z, answered at 2026-01-01T12:12:10Z: it was not us, accepted the present as ordinary',
    ])
    expect(await shown(us.slice(0, -1))).toEqual([
      'backed off            recovered       lowest  by',
      '2026-01-01T12:00:10Z  not by the end      17  latency',
      ...head,
      'asked at 2026-01-01T12:01:10Z: no answer by the end',
    ])
  })

  test('what was recorded as the default of one controller is none of the other', async () => {
    const own = { smoothing_time_constant_ms: 3000, smoothing_samples: 1200, backoff_ratio: 1.2, recovery_ratio: 1.15 }
    const trace = { version: 1, created_at_ms: T0, controller: 'knee', ...own, window_ms: 1000, min_samples: 1 }
    const text = [JSON.stringify({ trace }), JSON.stringify({ time: T0, latency_ms: 5 })].join('\n')
    const thresholds = async (...argv: string[]) =>
      JSON.parse((await replay(text, '--format', 'ndjson', '--json', ...argv)).stdout).replays[0].thresholds
    const chosen = { smoothingTimeConstantMs: 3000, recoveryRatio: 1.15, windowMs: 1000, minSamples: 1 }
    const knee = { controller: 'knee', smoothingSamples: 1200, backoffRatio: 1.2, ...chosen }
    expect(await thresholds()).toMatchObject(knee)
    expect(await thresholds('--controller', 'knee')).toMatchObject(knee)
    const windowed = { controller: 'windowed', smoothingSamples: 0, backoffRatio: 1.4, ...chosen }
    expect(await thresholds('--controller', 'windowed')).toMatchObject(windowed)
    const flags = ['--backoff-ratio', '1.2', '--smoothing-samples', '1200']
    expect(await thresholds('--controller', 'windowed', ...flags)).toMatchObject({ ...knee, controller: 'windowed' })
  })
})

describe('a recorded trace', () => {
  const recorded = (fields: object) => JSON.stringify({ trace: { version: 1, created_at_ms: T0 - 3000, ...fields } })
  const lines = latencies.map((latency_ms, i) => JSON.stringify({ timestamp: T0 + i * 1000, latency_ms }))
  const settings = { window_ms: 1000, min_samples: 1, max_concurrent: 8, floor: null, expected_p90_ms: 100 }
  const ndjson = (fields: object) => [recorded(fields), ...lines].join('\n')
  const argv = ['--format', 'ndjson']

  test.each(['', '\uFEFF'])(
    'is known by its first character where its name does not tell (after %j)',
    async (before) => {
      expect(await data(before + ndjson(settings))).toMatchObject({ recorded: true })
      const path = file('trace', before + ndjson(settings))
      const { world, stdout } = memoryWorld({ argv: ['replay', path, '--json'] })
      expect([await run(world), JSON.parse(stdout()).recorded]).toEqual([0, true])
    },
  )

  test('says when the limiter was made and how it was set; a flag wins', async () => {
    const { replays, recorded, warnings } = await data(ndjson(settings), ...argv)
    expect([recorded, warnings]).toEqual([true, []])
    expect(replays[0]).toMatchObject({
      originMs: T0 - 3000,
      thresholds: { controller: 'knee', windowMs: 1000, minSamples: 1, maxConcurrent: 8, floor: 4, expectedP90Ms: 100 },
    })
    const flags = ['--origin', iso(-1000), '--max-concurrent', '20', '--expected-p90', '90']
    expect((await data(ndjson(settings), ...argv, ...flags)).replays[0]).toMatchObject({
      originMs: T0 - 1000,
      thresholds: { windowMs: 1000, maxConcurrent: 20, floor: 10, expectedP90Ms: 90 },
    })
    const unshed = await data(ndjson({ ...settings, shedding: false }), ...argv)
    expect(unshed.replays[0].thresholds.shedding).toBe(false)
    const { stdout } = await replay(ndjson(settings), ...argv)
    expect(stdout).toContain('\nrecorded of a limiter made 2026-01-01T11:59:57Z: set as that one was')
  })

  test.each([{ latency_control: false }, { shadow: true }])(
    'of a limiter that was not in force (%j) shows what it would have done',
    async (off) => {
      const { stderr } = await replay(ndjson({ ...settings, ...off }), ...argv)
      expect(stderr).toBe(
        'Warning: recorded with the limit not in force (kill switch or shadow): this is what it would have done\n',
      )
      const { stderr: silent } = await replay(ndjson({ ...settings, ...off }), ...argv, '--no-latency')
      expect(silent).toBe('')
    },
  )

  test.each<[string, string, string]>([
    ['another version', recorded({ version: 2 }), 'stdin, line 1: trace.version must be 1, the only one that this sluice reads (is there a newer sluice?); got 2'],
    ['no version', '{"trace":{}}', 'trace.version must be 1, the only one that this sluice reads (is there a newer sluice?); got nothing'],
    ['no time', recorded({ created_at_ms: '2026' }), 'line 1: trace.created_at_ms must be a number of ms since the epoch; got "2026"'],
    ['no such field', recorded({ windows_ms: 1 }), 'line 1: trace.windows_ms must be left out: there are version, created_at_ms, controller, max_concurrent, floor'],
    ['out of range', recorded({ window_ms: 0 }), 'line 1: trace.window_ms must be an integer of at least 1; got 0'],
    ['no switch', recorded({ shadow: 1 }), 'line 1: trace.shadow must be true or false; got 1'],
    ['no latency', recorded({ expected_p90_ms: -1 }), 'line 1: trace.expected_p90_ms must be a number of ms above 0'],
    ['one beside another', recorded({ recovery_ratio: 1.5 }), 'line 1: trace.backoff_ratio must be a number of at least trace.recovery_ratio (1.5); got 1.2'],
    ['no controller', recorded({ controller: 'kneel' }), 'line 1: trace.controller must be \'knee\' or \'windowed\'; got "kneel"'],
    ['no rows', recorded({}), 'stdin is empty: it holds no line of data'],
    ['two in one', `${ndjson(settings)}\n${recorded({})}`, 'stdin, line 88: another trace begins here; replay one at a time'],
    ['before it was made', `${recorded({ created_at_ms: T0 + 1 })}\n${lines[0]}`, 'line 2: 1767268800000 is before origin (trace.created_at_ms)'],
  ])('is refused: %s', async (_, input, message) => {
    const { code, stdout, stderr } = await replay(input, ...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Error: .*\n$/)
    expect(stderr).toContain(message)
  }) // biome-ignore format: a table
})

test('a line of progress on a terminal, taken away at the end', async () => {
  const line = Buffer.from(`{"time":${T0},"latency":1,"trace":"${'x'.repeat(500_000)}"}\n`)
  const given = { argv: ['replay', '-', '--format', 'ndjson', '--min-samples', '1', '--expected-p90', '1'] }
  const stdin = Readable.from(Array(70).fill(line), { objectMode: false })
  const { world, stderr } = memoryWorld({ ...given, stdin, isTTY: { stdout: false, stderr: true } })
  expect(await run(world)).toBe(0)
  expect(stderr()).toBe('\r\u001b[2K32 MiB\r\u001b[2K')
})

test('interrupted: 130, without a word', async () => {
  const stopped = new AbortController()
  const silent = new Readable({ read: () => setImmediate(() => stopped.abort()) })
  const { world, stdout, stderr } = memoryWorld({ argv: ['replay', '-'], stdin: silent, signal: stopped.signal })
  expect([await run(world), stdout(), stderr()]).toEqual([130, '', ''])
})

test('its help names every exit code', async () => {
  const { code, stdout } = await replay('', '--help')
  expect([code, stdout.match(/^ {2}\d+(?= )/gm)?.map(Number)]).toEqual([0, [0, 1, 2, 130]])
})
