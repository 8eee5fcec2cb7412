import type { Mark } from '../judge.js'
import { groupsOf, type Matrix } from './matrix.js'

const CELL = 20
const GAP = 6
const LABEL = 290
const HEAD = 130
const FOOT = 50

const CLASSES: Record<Mark, string> = { '✓': 'yes', '✗': 'no', '~': 'so', '–': 'na' }

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .group { font-weight: 600 } .small { font-size: 10.5px } .mid { text-anchor: middle }
  .yes { fill: #1a7f5a } .no { fill: #c4432b } .so { fill: #d9a514 } .na { fill: #d5d9de }
  .mark { text-anchor: middle; font-weight: 600; fill: #fff } .mark.dark { fill: #1f2328 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .mark { fill: #fff } .mark.dark { fill: #14181d }
    .yes { fill: #238f6b } .no { fill: #d5563d } .so { fill: #e0b02c } .na { fill: #6e7681 }
  }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What fits beside the cells. */
const short = (title: string): string => {
  const plain = title.replaceAll('`', '')
  return plain.length > 44 ? `${plain.slice(0, 43).trimEnd()}…` : plain
}

/** docs/matrix.svg: a mark a cell, two cells a client. No font, no script; follows the reader's colour scheme. */
export function picture({ probes, clients, date, node }: Matrix): string {
  const parts: string[] = []
  const xOf = (client: number, column: number): number => LABEL + client * (2 * CELL + GAP) + column * CELL
  const width = xOf(clients.length, 0) + 60
  clients.forEach(({ name }, index) => {
    parts.push(`<text transform="translate(${xOf(index, 1) + 4} ${HEAD - 10}) rotate(-45)">${escaped(name)}</text>`)
  })
  let y = HEAD
  for (const [group, rows] of groupsOf(probes)) {
    y += 8
    parts.push(`<text class="group" x="8" y="${y + 14}">${escaped(group)}</text>`)
    y += CELL
    for (const { id, rule, title } of rows) {
      parts.push(
        `<g><title>${escaped(`${rule}: ${title}`)}</title><text class="small" x="8" y="${y + 14}">${rule}</text>`,
      )
      parts.push(`<text class="small" x="36" y="${y + 14}">${escaped(short(title))}</text></g>`)
      clients.forEach(({ name, columns }, client) => {
        columns.forEach(({ cells, run }, column) => {
          const cell = cells.get(id)
          if (!cell) return
          const x = xOf(client, column)
          const dark = cell.mark === '~' || cell.mark === '–' ? ' dark' : ''
          parts.push(
            `<g><title>${escaped(`${name}, ${run.configuration}: ${cell.says}`)}</title><rect class="${CLASSES[cell.mark]}" x="${x + 1}" y="${y + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="3"/><text class="mark${dark}" x="${x + CELL / 2}" y="${y + 14.5}">${cell.mark}</text></g>`,
          )
        })
      })
      y += CELL
    }
  }
  parts.push(
    `<text class="small" x="8" y="${y + 22}">✓ as the rule says   ✗ not so   ~ another choice, documented or left open   – not applicable.   Left cell: as it ships; right cell: best documented configuration.</text>`,
    `<text class="small" x="8" y="${y + 38}">Judged by the requests that arrive, and when. ${date}, Node ${node}.</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + FOOT}" viewBox="0 0 ${width} ${y + FOOT}" role="img" aria-label="What ${clients.length} HTTP clients do when a server throttles them or fails">
<style>${STYLE}
</style>
${parts.join('\n')}
</svg>
`
}
