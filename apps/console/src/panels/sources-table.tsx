import type { DataSource } from '@sluice/client'
import { type ReactElement, useState } from 'react'
import { bytes, duration, elapsed, grouped } from '../sources/amounts.js'
import { WORDS } from '../sources/in-words.js'
import { type Order, type SourceRow, sorted } from '../sources/sort-sources.js'

/** So many are shown at first: a gateway may have thousands. */
const SHOWN = 50

const HEADS: readonly (readonly [label: string, order: Order | null])[] = [
  ['Data source', 'name'],
  ['State', 'trouble'],
  ['For', null],
  ['Behind', 'behind'],
  ['Backlog', 'backlog'],
  ['Oldest', null],
  ['Limit', null],
  ['Node', null],
]

/** A line for each data source, sorted by trouble, or as is wished. */
export function SourcesTable({ rows, opened, nowMs, timeOf, onOpen }: SourcesTableProps): ReactElement {
  const [order, setOrder] = useState<Order>('trouble')
  const [all, setAll] = useState(false)
  const shown = sorted(rows, order).slice(0, all ? rows.length : SHOWN)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="scroll" aria-label="All data sources" tabIndex={0}>
        <table className="sources-table">
          <thead>
            <tr>
              {HEADS.map(([label, of]) => (
                <th scope="col" key={label} aria-sort={of === order ? SORT[of] : undefined}>
                  {of === null ? (
                    label
                  ) : (
                    <button type="button" className="sort" onClick={() => setOrder(of)}>
                      {label}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line
                key={row.status.name}
                row={row}
                {...{ nowMs, timeOf, onOpen }}
                isOpen={row.status.name === opened}
              />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {rows.length}
        </button>
      )}
    </>
  )
}

const SORT = { name: 'ascending', trouble: 'descending', behind: 'descending', backlog: 'descending' } as const

function Line({ row, isOpen, nowMs, timeOf, onOpen }: LineProps): ReactElement {
  const { status, condition, details } = row
  const { name, state_since } = status
  const since = Date.parse(state_since)
  const cells = details === undefined ? ['…', '…', '…', '…', '…'] : cellsOf(details, nowMs, timeOf)
  return (
    <tr data-source={name}>
      <th scope="row">
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? null : name)}>
          {name}
        </button>
      </th>
      <td>
        <span className="condition" data-condition={condition}>
          {WORDS[condition]}
        </span>
      </td>
      <td>
        <time dateTime={state_since} title={timeOf(since / 1000)}>
          {elapsed(nowMs - since)}
        </time>
      </td>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name, and are never moved
        <td key={index}>{cell}</td>
      ))}
    </tr>
  )
}

function cellsOf(
  { freshness, backlog, limited_until, node }: DataSource,
  nowMs: number,
  timeOf: (second: number) => string,
): readonly string[] {
  return [
    freshness.lag_s === null ? '–' : duration(freshness.lag_s * 1000),
    backlogOf(backlog),
    backlog.oldest_at === null ? '–' : elapsed(nowMs - Date.parse(backlog.oldest_at)),
    limited_until === null ? 'none' : `until ${timeOf(Date.parse(limited_until) / 1000)}`,
    node,
  ]
}

/** `12 rows, 1.0 kB`, and of how many blocks nobody knows. */
function backlogOf({ rows, bytes: size, unknown_blocks: unknown }: DataSource['backlog']): string {
  if (rows === 0) return 'none'
  return `${grouped(rows)} rows, ${bytes(size)}${unknown === 0 ? '' : `, ${grouped(unknown)} unknown`}`
}

interface LineProps {
  readonly row: SourceRow
  readonly isOpen: boolean
  readonly nowMs: number
  readonly timeOf: (second: number) => string
  readonly onOpen: (name: string | null) => void
}

/** What the table is given. */
export interface SourcesTableProps extends Omit<LineProps, 'row' | 'isOpen'> {
  readonly rows: readonly SourceRow[]
  readonly opened: string | null
}
