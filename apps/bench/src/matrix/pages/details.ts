import { seconds } from '../judge.js'
import { type Observation, quickestTry } from '../observation.js'
import type { Probe } from '../probe.js'
import { anchor, type Column, type Matrix } from './matrix.js'

const MOST = 8

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')

/** What arrived and when, and how the call ended, in one line. */
function timeline(seen: Observation): string {
  const { sends, end, abortedAtMs, untilMs, again } = seen
  const shown = sends.slice(0, MOST).map((send) => {
    const key = send.idempotencyKey === null ? '' : ` (key ${send.idempotencyKey.slice(0, 24)})`
    return `${seconds(send.atMs)} ${send.method}${key} → ${send.answer}`
  })
  if (sends.length > MOST) shown.push(`… ${sends.length} requests in all`)
  if (abortedAtMs !== null) shown.push(`${seconds(abortedAtMs)} the caller aborts`)
  if (end === null) shown.push(`${seconds(untilMs)} still going`)
  else
    shown.push(`${seconds(end.atMs)} ended: ${end.status === null ? (end.error ?? 'no answer') : `the ${end.status}`}`)
  if (again.length > 0)
    shown.push(`the quickest of ${again.length + 1} tries waited ${quickestTry(seen).map(seconds).join(', ')}`)
  return shown.map((part) => `\`${part.replaceAll('`', "'").replaceAll('|', '\\|')}\``).join(' · ')
}

function table({ run, cells }: Column, probes: Probe[]): string {
  const rows = probes.flatMap((probe) => {
    const cell = cells.get(probe.id)
    const seen = run.seen.get(probe.id)
    if (!cell || !seen) return []
    const source = cell.source ? ` ([source](${cell.source}))` : ''
    const id = anchor(run.configuration, probe.id)
    return `| <a id="${id}"></a>[${probe.rule}](../../spec/README.md#${probe.rule.toLowerCase()}) | ${probe.title.replaceAll('|', '\\|')} | ${cell.mark} | ${escaped(cell.says)}${source} | ${timeline(seen)} |`
  })
  return [
    '| rule | what the server does | | verdict | what arrived, and when |',
    '|---|---|:-:|---|---|',
    ...rows,
  ].join('\n')
}

const HEADINGS = { defaults: 'As it ships', best: 'Best documented configuration' }

/** docs/matrix/CLIENT.md, the whole of it. */
export function details(matrix: Matrix, client: Matrix['clients'][number]): string {
  const about = client.columns[0]?.run.about
  if (!about) return ''
  const sections = client.columns.flatMap((column) => {
    const { configuration, setup, strays } = column.run
    return [
      `## ${HEADINGS[configuration]}`,
      `\`\`\`ts\n${setup}\n\`\`\``,
      table(column, matrix.probes),
      ...(strays.length > 0
        ? [`Errors that reached no caller: ${[...new Set(strays)].map((stray) => `\`${stray}\``).join(', ')}.`]
        : []),
    ]
  })
  return `${[
    `# ${client.name}`,
    `<!-- Made by \`npm run matrix\`; do not edit by hand. -->`,
    `${about.packages.map((one) => `\`${one}\` ${matrix.versions.get(one)}`).join(', ')}; Node ${matrix.node}; ${matrix.date}. [The matrix](../matrix.md) says how this was measured. Times are since the first request arrived.`,
    `Documentation: ${about.docs.map((address) => `<${address}>`).join(', ')}.`,
    ...(about.notes.length > 0 ? [about.notes.map((note) => `- ${note}`).join('\n')] : []),
    ...sections,
  ].join('\n\n')}\n`
}
