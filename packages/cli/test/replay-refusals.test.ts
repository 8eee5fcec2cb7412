import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { run } from '@sluice/cli'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryWorld } from './memory-world.js'
import { CSV, iso, latencies, replay } from './replay-trace.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-refused-'))
afterAll(() => rmSync(folder, { recursive: true }))

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
    ['after all years', `${head}\n8640000000000000,1`, ['--time-unit', 'ms'], 'line 2: "8640000000000000" is no time; it must be ISO 8601, or a number of s or ms since the epoch, in the years 0 to 9999'],
    ['an origin before all years', CSV, ['--origin', '-8640000000000000', '--time-unit', 'ms'], '--origin: -8640000000000000 is no time'],
    ['no such day', `${head}\n2026-02-30T00:00:00Z,1`, [], 'line 2: "2026-02-30T00:00:00Z" is no time'],
    ['no leap year', `${head}\n2026-02-29,1`, [], 'line 2: "2026-02-29" is no time'],
    ['seconds, then ms', `${head}\n1767225600,1\n1767225601500,1`, [], 'line 3: "1767225601500" looks like ms since the epoch, and the times before it like s; --time-unit says what all of them are'],
    ['ms, then seconds', `${head}\n1767225600000,1\n1767225601,1`, [], 'line 3: "1767225601" looks like s since the epoch, and the times before it like ms'],
    ['a line after quoted ones', `${head},note\n${iso(0)},1,"a\n\r\nb"\n\n  \n${iso(0)},fast,x`, [], 'line 7: "fast" is no latency; it must be a number of at least 0. Correct the line, or leave it out: it ends the replay\n'],
    ['a column twice', `${head},latency_ms\n${iso(0)},1,2`, [], '--latency-column: stdin has 2 columns of the name latency_ms; give them names that differ'],
    ['the one that was named twice', 'time,ms,ms\n1,2,3', ['--latency-column', 'ms'], '--latency-column: stdin has 2 columns of the name ms'],
    ['two that may be meant', 'Time,time,latency\n1,2,3', [], '--time-column: stdin has Time and time; name one of them'],
    ['only lines that stand for nothing', `${head},count\n${iso(0)},1,0`, [], 'stdin: each of its lines has a count of 0\n'],
    ['no day', `${head}\n2026-13-45,1`, [], 'line 2: "2026-13-45" is no time'],
    ['no latency', `${head}\n${iso(0)},fast`, [], 'line 2: "fast" is no latency'],
    ['negative', `${head}\n${iso(0)},-1`, [], 'line 2: "-1" is no latency; it must be a number of at least 0'],
    ['longer than any', `${head}\n${iso(0)},1e305`, [], 'line 2: "1e305" is no latency; it must be below 2^53. Correct the line'],
    ['a hexadecimal one', `${head}\n${iso(0)},0x10`, [], 'line 2: "0x10" is no latency; it must be a number'],
    ['no latency of a success', `${head}\n${iso(0)},`, [], 'line 2: "" is no latency'],
    ['no status', `${head},status\n${iso(0)},1,OK`, [], 'line 2: "OK" is no HTTP status'],
    ['no wait', `${head},retry_after_ms\n${iso(0)},1,soon`, [], 'line 2: "soon" is no wait; it must be a number of at least 0, or empty'],
    ['no count', `${head},count\n${iso(0)},1,1.5`, [], 'line 2: "1.5" is no count'],
    ['ragged', `${head}\n${iso(0)}`, [], 'expect 2, got 1 on line 2; is it CSV?'],
    ['no JSON', `{"time":1767268800,"latency":2}\n{`, ['--format', 'ndjson'], 'stdin, line 2: not JSON'],
    ['no object', `1`, ['--format', 'ndjson'], 'stdin, line 1: it must be a JSON object'],
    ['a list among lines', `{"time":1767268800,"latency":2}\n[1]`, [], 'stdin, line 2: it must be a JSON object'],
    ['an array', `\uFEFF\n [{"time":1,"latency":2}]`, [], "stdin is one JSON array; make a line of each of its objects on the way: jq -c '.[]' FILE | sluice replay -\n"],
    ['an array over several lines', `[\n{"time":1,"latency":2}\n]`, ['--format', 'ndjson'], 'stdin is one JSON array'],
    ['a long one on one line', `[${'{"time":1,"latency":2},'.repeat(50_000)}`, [], 'stdin is one JSON array'],
    ['only failures', `${head},status\n${iso(0)},1,500`, [], 'stdin: no attempt succeeded'],
    ['too few', CSV.replace(/,50$/gm, ',8'), [], 'no window counts. It takes 50 samples in 10s; 86 windows have 8.0 on average, and the fullest has 8. Try a longer window, --window 2m, and only then fewer samples, --min-samples 8\n'],
    ['a threshold', CSV, ['--backoff-ratio', '1.05'], '--backoff-ratio must be a number of at least --recovery-ratio (1.1); got 1.05\n'],
    ['one against the default of another', CSV, ['--recovery-ratio', '1.50'], '--backoff-ratio must be a number of at least --recovery-ratio (1.5); got 1.2, the default\n'],
    ['a controller', CSV, ['--controller', 'knee,kneel'], '--controller must be \'knee\' or \'windowed\'; got kneel\n'],
    ['no number in flight', `${head},in_flight\n${iso(0)},1,some`, [], 'line 2: "some" is no number in flight; it must be a number of at least 0, or empty'],
    ['more in flight than any', `${head},in_flight\n${iso(0)},1,1e308`, [], 'line 2: "1e308" is no number in flight; it must be below 2^53, or empty'],
    ['no wait for a slot', `${head},waited_ms\n${iso(0)},1,-1`, [], 'line 2: "-1" is no wait'],
    ['a floor', CSV, ['--floor', '40'], '--floor must be an integer from 1 to --max-concurrent (35); got 40\n'],
    ['an endless window', CSV, ['--window', '9000h'], '--window must be at most 8784h; got 9000h\n'],
    ['one of a comparison', CSV, ['--window', '60m', '--min-samples', '1e3'], "argument '1e3' is invalid"],
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

  // docs/limiter.md: fewer samples say less of a window. What was doubtful is told before, since it may be the reason.
  test('where no window counts, units that are doubted are told first', async () => {
    const from0 = (count: number) =>
      ['time,latency_ms,count', ...latencies.map((ms, i) => `${i * 10_000},${ms / 1000},${count}`)].join('\n')
    const { code, stderr } = await replay(from0(8))
    expect(code).toBe(2)
    const [time, latency, error] = stderr.split('\n')
    expect(time).toBe('Warning: 0 is taken for seconds since 1970; give --time-unit ms if it is milliseconds')
    expect(latency).toMatch(/^Warning: half of the first latencies in latency_ms are 0\.1 or less/)
    expect(error).toMatch(
      /^Error: .* Try --time-unit ms, if that is what times are; else a longer window, --window 2m, and only/,
    )
    expect((await replay(from0(50), '--time-unit', 'ms', '--latency-unit', 's')).code).toBe(0)
  })

  test('and so they are where a line ends the replay', async () => {
    const { stderr } = await replay(`${CSV.replace(/,(\d+),50$/gm, ',0.$1,50')}\n${iso(0)},1,1`)
    expect(stderr).toMatch(
      /^Warning: .* look like seconds, .*\nError: stdin, line 88: .* is before the time of line 87/,
    )
  })

  test('files that cannot be read', async () => {
    for (const [path, words] of [
      [join(folder, 'none.csv'), 'none.csv cannot be read (ENOENT)'],
      [folder, 'cannot be read (EISDIR)'],
      [
        'trace.csv.gz',
        'trace.csv.gz is compressed (gzip); unpack it on the way: gunzip -c trace.csv.gz | sluice replay -\n',
      ],
      ['trace.tsv.zst', "zstd -dc trace.tsv.zst | sluice replay - --delimiter '\\t'\n"],
    ] as const) {
      const { world, stderr } = memoryWorld({ argv: ['replay', path] })
      expect([await run(world), stderr().includes(words)]).toEqual([2, true])
    }
  })
})

test.each<[string, Buffer, string]>([
  ['gzip', gzipSync(CSV), 'stdin is compressed (gzip); unpack it on the way: gunzip -c FILE | sluice replay -\n'],
  ['gzip, a byte at a time', gzipSync(CSV), '(gzip)'],
  ['Zstandard', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24]), 'zstd -dc FILE'],
  ['bzip2', Buffer.from('BZh91AY'), 'bunzip2 -c FILE'],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'xz -dc FILE'],
  ['zip', Buffer.from('PK\u0003\u0004\u0014'), 'unzip -p FILE'],
  ['UTF-16', Buffer.from(`\ufeff${CSV}`, 'utf16le'), 'stdin is UTF-16, not UTF-8: iconv -f UTF-16 -t UTF-8 FILE |'],
])('bytes that are no text are told by what they are: %s', async (name, bytes, words) => {
  const chunks = name.includes('a byte') ? Array.from(bytes, (byte) => Buffer.from([byte])) : [bytes]
  const { world, stderr } = memoryWorld({ argv: ['replay', '-'], stdin: Readable.from(chunks) })
  expect(await run(world)).toBe(2)
  expect(stderr()).toContain(words)
})
