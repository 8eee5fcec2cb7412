import { type ReactElement, useState } from 'react'
import { type History, KEPT_SECONDS } from '../status/history.js'
import type { ChartSpec, Column } from './series.js'

const ROWS = 15

/** The last values of a chart, for those who cannot see it. Made only while it is open. */
export function ValuesTable({ spec, history, timeOf }: ValuesTableProps): ReactElement {
  const [open, setOpen] = useState(false)
  const { times } = history
  const columns: readonly Column[] = [...spec.series, ...spec.also]
  const rows = open ? Array.from({ length: ROWS }, (_, row) => KEPT_SECONDS - 1 - row) : []
  return (
    <details className="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{spec.title} as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="scroll" aria-label={`${spec.title}, last values`} tabIndex={0}>
        <table>
          <caption>
            {spec.caption}. The last {ROWS} seconds, newest first.
          </caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {columns.map(({ figure, label }) => (
                <th scope="col" key={figure} className="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((index) => (
              <tr key={times[index]}>
                <th scope="row">{timeOf(times[index] ?? 0)}</th>
                {columns.map((column) => (
                  <td key={column.figure} className="number">
                    {valueAt(history, index, column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

/** What the table is made of. */
export interface ValuesTableProps {
  readonly spec: ChartSpec
  readonly history: History
  readonly timeOf: (second: number) => string
}

/** A value as it is written; a dash where none is known. */
export function valueAt({ figures }: History, index: number, { figure, format }: Column): string {
  const value = figures[figure][index]
  return value === null || value === undefined ? '–' : format(value)
}
