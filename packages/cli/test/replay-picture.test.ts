import { closeSync, linkSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from '@sluice/cli'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryWorld } from './memory-world.js'
import { CSV, replay } from './replay-trace.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-picture-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

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
    ['a folder', ['--svg', folder], /^Error: --svg: .* is a folder/],
    ['a folder that is not there', ['--svg', 'none/'], /^Error: --svg: "none\/" names no file/],
    ['nothing', ['--svg', ''], /^Error: --svg: "" names no file/],
  ])('is refused before a line is read: %s', async (_, argv, message) => {
    const { code, stdout, stderr } = await replay('not a trace', ...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test('of several choices has a limit for each, and the p90 and baseline of the first', async () => {
    const svg = join(folder, 'several.svg')
    expect((await replay(CSV, '--svg', svg, '--backoff-ratio', '1.3,4', '--controller', 'windowed')).code).toBe(0)
    const text = readFileSync(svg, 'utf8')
    const label = (what: string): RegExp => new RegExp(`<text class="label"[^>]*>${what}</text>`)
    for (const what of ['latency, --backoff-ratio 1.3', 'limit .calls in flight., --backoff-ratio 1.3', 'limit .calls in flight., --backoff-ratio 4'])
      expect(text).toMatch(label(what))
    const limits = [...text.matchAll(/<path class="limit" d="([^"]*)"/g)].map(([, d = '']) => d)
    const heights = limits.map((d) => new Set(d.match(/(?<=V)[\d.]+/g)).size)
    expect(heights[0]).toBeGreaterThan(10) // it falls in steps, and rises by one each
    expect(heights[1]).toBe(1)
    expect(text.match(/class="p90" d="M7/g)).toHaveLength(1)
  }) // biome-ignore format: three labels

  test.each(['itself', 'by a symlink', 'by a hard link', 'as stdin'])('does not replace the trace: %s', async (how) => {
    const trace = file('kept.csv', CSV)
    const link = join(folder, `${how}.csv`)
    if (how === 'by a symlink') symlinkSync(trace, link)
    if (how === 'by a hard link') linkSync(trace, link)
    const opened = openSync(trace, 'r')
    const stdin = Object.assign(Readable.from([]), { fd: opened })
    const argv = ['replay', how === 'as stdin' ? '-' : trace, '--svg', how.startsWith('by') ? link : trace]
    const { world, stdout, stderr } = memoryWorld({ argv, stdin })
    expect([await run(world), stdout()]).toEqual([2, ''])
    closeSync(opened)
    expect(stderr()).toMatch(
      /^Error: --svg: .* is the trace itself, which the picture would replace; name another file\n$/,
    )
    expect(readFileSync(trace, 'utf8')).toBe(CSV)
  })

  test('is XML whatever the name of the file, and its letters stand in their order', async () => {
    const trace = file('a\u001b[2J\u202etxt.csv', CSV)
    const svg = join(folder, 'odd.svg')
    const { world, stdout } = memoryWorld({ argv: ['replay', trace, '--svg', svg] })
    expect(await run(world)).toBe(0)
    expect(readFileSync(svg, 'utf8')).toContain('Adaptive limit over a [2J txt.csv</title>')
    expect(stdout()).toContain('a [2J txt.csv: 4300 attempts, ')
    for (const sign of ['\u001b', '\u202e']) expect(stdout()).not.toContain(sign)
  })
})
