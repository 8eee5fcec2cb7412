import type { FileChange } from './compare.js'

/** Lines of each side of a file that are shown. */
const SIDE = 12
/** Files whose lines are shown; the others are named. */
const FILES = 10
const CONTEXT = 2

/** The differences in the form of a unified diff, one place a file, cut where it grows long. */
export function diffOf(changes: readonly FileChange[]): string {
  const shown = changes.slice(0, FILES).map(fileDiff)
  const named = changes.slice(FILES).map(({ file, kind }) => `${kind}: ${file}\n`)
  return [...shown, ...named].join('')
}

function fileDiff({ file, kind, before, after }: FileChange): string {
  if (kind === 'missing') return `--- /dev/null\n+++ ${file}\n(missing: ${linesOf(after).length} lines)\n`
  if (kind === 'extra') return `--- ${file}\n+++ /dev/null\n(extra: ${linesOf(before).length} lines)\n`
  const [a, b] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [gone, come] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const head = a.slice(Math.max(0, start - CONTEXT), start)
  const tail = a.slice(a.length - end, a.length - end + CONTEXT)
  const around = head.length + tail.length
  const from = start - head.length + 1
  return [
    `--- ${file}`,
    `+++ ${file}`,
    `@@ -${from},${gone.length + around} +${from},${come.length + around} @@`,
    ...head.map((line) => ` ${line}`),
    ...side('-', gone),
    ...side('+', come),
    ...tail.map((line) => ` ${line}`),
    '',
  ].join('\n')
}

const side = (mark: string, lines: readonly string[]): string[] => [
  ...lines.slice(0, SIDE).map((line) => mark + line),
  ...(lines.length > SIDE ? [`${mark}… ${lines.length - SIDE} more lines`] : []),
]

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')
