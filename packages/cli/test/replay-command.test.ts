import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from '@sluice/cli'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryWorld } from './memory-world.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

const T0 = Date.UTC(2026, 0, 1, 12)
const iso = (ms: number): string => new Date(T0 + ms).toISOString()
/** Window i has `latencies[i]`, fifty times. */
const latencies = [...Array<number>(40).fill(100), ...Array<number>(6).fill(300), ...Array<number>(40).fill(100)]
const CSV = ['time,latency_ms,count', ...latencies.map((ms, i) => `${iso(i * 10_000)},${ms},50`)].join('\n')

async function replay(input: string | Buffer, ...argv: string[]) {
  const { world, stdout, stderr } = memoryWorld({
    argv: ['replay', '-', ...argv],
    stdin: Readable.from([Buffer.from(input)]),
  })
  const code = await run(world)
  return { code, stdout: stdout(), stderr: stderr() }
}
const data = async (input: string, ...argv: string[]) => {
  const { code, stdout, stderr } = await replay(input, '--json', ...argv)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('what it shows', () => {
  test('text: the mean limit, when it backed off and when it was back, a sketch', async () => {
    const { code, stdout, stderr } = await replay(CSV)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('stdin: 4300 attempts, 2026-01-01T12:00:00Z to 2026-01-01T12:14:20Z\n')
    expect(stdout).toContain('86 windows of 10s, 86 of them with the 50 samples it takes to count\n')
    expect(stdout).toMatch(/^2026-01-01T12:07:00Z {2}2026-\S+Z {6}17 {2}latency$/m)
    expect(stdout).toMatch(/^p90 {4}▁+▅█+▁+ {2}100ms to 300ms$/m)
    expect(stdout).toMatch(/^limit {2}█+.*▁.*█ {2}17 to 35$/m)
  })

  test('JSON: the limit of each window, and what it is summed up to', async () => {
    const { replays, warnings, file: name } = await data(CSV)
    expect([name, warnings, replays.length]).toEqual(['stdin', [], 1])
    const [{ points, whole, backoffs, windowsPerPoint, thresholds, periods }] = replays
    expect([windowsPerPoint, points.length, periods, thresholds.backoffRatio]).toEqual([1, 86, [], 1.4])
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
    expect(stdout).toMatch(/--backoff-ratio 4 +35\.0 +35 +0\.0 % +0 /)
  })

  test('the kill switch measures, and limits nothing', async () => {
    const { replays } = await data(CSV, '--no-latency')
    expect(replays[0].whole).toMatchObject({ meanLimit: 35, lowestLimit: 35, highestP90Ms: 300 })
  })

  test('an expected p90 protects from the first window', async () => {
    const { replays } = await data(`time,latency_ms,count\n${iso(0)},300,50`, '--expected-p90', '100')
    expect(replays[0].points).toMatchObject([{ limit: 26 }])
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
    ['ISO without a zone, which is UTC', (ms: number) => iso(ms).replace('T', ' ').replace('Z', ''), []],
    ['ms of another origin', (ms: number) => ms, ['--time-unit', 'ms']],
  ])('%s', async (_, time, argv) => {
    const text = rows(time).map(([at, ms]) => `${at},${ms},50`)
    const { replays } = await data(`time,latency_ms,count\n${text.join('\n')}`, ...argv)
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

  test('the grid begins at --origin', async () => {
    const { replays } = await data(CSV, '--origin', iso(-3000))
    expect(replays[0]).toMatchObject({ originMs: T0 - 3000, backoffs: [{ fromMs: T0 - 3000 + 420_000 }] })
  })
})

describe('the picture', () => {
  test('is XML that says what it shows, has axes and both schemes', async () => {
    const trace = file('a<b&"c.csv', CSV)
    const svg = join(folder, 'limit.svg')
    expect(await run(memoryWorld({ argv: ['replay', trace, '--svg', svg] }).world)).toBe(0)
    const text = readFileSync(svg, 'utf8')
    expect(text).toContain('a&#60;b&#38;&#34;c.csv</title>')
    expect(text).toContain('@media screen and (prefers-color-scheme:dark)')
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/)
    for (const label of ['>300ms<', '>0<', '>12:10<', '>time (UTC)<', '>limit (calls in flight)<', '>40<'])
      expect(text).toContain(label)
    const open = [...text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].reduce<string[]>(
      (stack, [, closes, name = '', empty]) => {
        if (closes) expect(stack.pop()).toBe(name)
        else if (!empty) stack.push(name)
        return stack
      },
      [],
    )
    expect(open).toEqual([])
  })

  test.each([
    ['several thresholds', ['--svg', join(folder, 'x.svg'), '--floor', '1,2'], /--svg: a picture shows one choice/],
    ['a folder', ['--svg', folder], /^Error: --svg: .* is a folder/],
  ])('is refused: %s', async (_, argv, message) => {
    const { code, stdout, stderr } = await replay(CSV, ...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})

describe('what it refuses, with 2 and one line', () => {
  const head = 'time,latency_ms'
  test.each<[string, string, string[], string]>([
    ['nothing', '', [], 'stdin is empty: it holds no line of data'],
    ['no data', head, [], 'stdin is empty: it holds no line of data'],
    ['no such column', `${head}\n1,2`, ['--latency-column', 'latency'], '--latency-column: stdin has no column latency; did you mean latency_ms?'],
    ['no usual name', 'a,b\n1,2', [], 'stdin has no column of the usual names for the time; name it by --time-column: there are a, b'],
    ['no header', '1700000000,5\n1700000001,6', [], 'its first line holds no names'],
    ['a delimiter', 'time;latency_ms\n1;2', [], '--delimiter says what stands between columns'],
    ['time that runs back', `${head}\n${iso(5)},1\n${iso(4)},1`, [], `stdin, line 3: "${iso(4)}" is before the time of line 2; sort the file`],
    ['before the origin', `${head}\n${iso(0)},1`, ['--origin', iso(1)], 'line 2: "2026-01-01T12:00:00.000Z" is before --origin'],
    ['no time', `${head}\nyesterday,1`, [], 'line 2: "yesterday" is no time; it must be ISO 8601'],
    ['no day', `${head}\n2026-13-45,1`, [], 'line 2: "2026-13-45" is no time'],
    ['no latency', `${head}\n${iso(0)},fast`, [], 'line 2: "fast" is no latency'],
    ['negative', `${head}\n${iso(0)},-1`, [], 'line 2: "-1" is no latency; it must be a number of at least 0'],
    ['no latency of a success', `${head}\n${iso(0)},`, [], 'line 2: "" is no latency'],
    ['no status', `${head},status\n${iso(0)},1,OK`, [], 'line 2: "OK" is no HTTP status'],
    ['no count', `${head},count\n${iso(0)},1,1.5`, [], 'line 2: "1.5" is no count'],
    ['ragged', `${head}\n${iso(0)}`, [], 'expect 2, got 1 on line 2; is it CSV?'],
    ['no JSON', `{"time":1,"latency":2}\n{`, ['--format', 'ndjson'], 'stdin, line 2: not JSON'],
    ['a list', `[1]`, ['--format', 'ndjson'], 'stdin, line 1: it must be a JSON object'],
    ['only failures', `${head},status\n${iso(0)},1,500`, [], 'stdin: no attempt succeeded'],
    ['too few', CSV.replace(/,50$/gm, ',8'), [], 'no window counts. It takes 50 samples in 10s; 86 windows have 8.0 on average, and the fullest has 8. Try --window 2m or --min-samples 8'],
    ['a threshold', CSV, ['--backoff-ratio', '1.1'], '--backoff-ratio must be a number of at least recoveryRatio (1.2); got 1.1'],
    ['one of several', CSV, ['--min-samples', '50,0'], '--min-samples must be an integer of at least 1; got 0'],
    ['too many', CSV, ['--floor', '1,2,3,4,5', '--min-samples', '1,2,3,4,5'], 'more than 24 combinations'],
    ['no number', CSV, ['--floor', 'low'], "argument 'low' is invalid. It must be a number, or several"],
    ['no origin', CSV, ['--origin', 'noon'], '--origin: noon is no time'],
    ['an option', CSV, ['--backof-ratio', '2'], 'Did you mean --backoff-ratio?'],
  ])('%s', async (_, input, argv, message) => {
    const { code, stdout, stderr } = await replay(input, ...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Error: /)
    expect(stderr).toContain(message)
  }) // biome-ignore format: a table

  test('files that cannot be read', async () => {
    for (const [path, words] of [
      [join(folder, 'none.csv'), 'none.csv cannot be read (ENOENT)'],
      [folder, 'cannot be read (EISDIR)'],
      ['trace.csv.gz', 'zcat trace.csv.gz | sluice replay -'],
    ] as const) {
      const { world, stderr } = memoryWorld({ argv: ['replay', path] })
      expect([await run(world), stderr().includes(words)]).toEqual([2, true])
    }
  })
})

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
    ['like microseconds', scaled(1000), [], 'took are 100000 or more: they look like microseconds'],
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

  test('not where the unit was given', async () => {
    expect(await replay(scaled(0.001), '--latency-column', 'took', '--latency-unit', 'ms')).toMatchObject({
      stderr: '',
    })
  })
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
