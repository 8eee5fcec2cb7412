import { type ReactElement, useRef, useState } from 'react'
import { lineWords } from '../sources/line-words.js'
import { type Order, type SourceRow, sorted } from '../sources/sort-sources.js'
import { SourceLine } from './source-line.js'

/** So many are shown at a time: a gateway may have thousands, and to lay out a table of all of them blocks the page. */
const PAGE = 100

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
  const [wished, setWished] = useState(0)
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1)
  const page = Math.min(wished, last)
  const first = page * PAGE
  const scrolled = useRef<HTMLElement>(null)
  const turnTo = (page: number): void => {
    setWished(page)
    scrolled.current?.scrollTo(0, 0)
  }
  const sortBy = (order: Order): void => {
    setOrder(order)
    turnTo(0)
  }
  const shown = sorted(rows, order).slice(first, first + PAGE)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="scroll" aria-label="All data sources" tabIndex={0} ref={scrolled}>
        <table className="sources-table">
          <thead>
            <tr>
              {HEADS.map(([label, of]) => (
                <th scope="col" key={label} aria-sort={of === order ? SORT[of] : undefined}>
                  {of === null ? (
                    label
                  ) : (
                    <button type="button" className="sort" onClick={() => sortBy(of)}>
                      {label}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <SourceLine
                key={row.status.name}
                {...lineWords(row, nowMs, timeOf)}
                isOpen={row.status.name === opened}
                onOpen={onOpen}
              />
            ))}
          </tbody>
        </table>
      </section>
      {last > 0 && (
        <p className="pages">
          <button type="button" aria-disabled={page === 0} onClick={() => turnTo(Math.max(0, page - 1))}>
            Previous
          </button>
          <button type="button" aria-disabled={page === last} onClick={() => turnTo(Math.min(last, page + 1))}>
            Next
          </button>
          <span role="status" className="hint">
            {first + 1} to {first + shown.length} of {rows.length}
          </span>
        </p>
      )}
    </>
  )
}

const SORT = { name: 'ascending', trouble: 'descending', behind: 'descending', backlog: 'descending' } as const

/** What the table is given. */
export interface SourcesTableProps {
  readonly rows: readonly SourceRow[]
  readonly opened: string | null
  /** Epoch ms, by the gateway's clock. */
  readonly nowMs: number
  readonly timeOf: (second: number) => string
  readonly onOpen: (name: string | null) => void
}
