import type { PipeResult } from '@sluice/client'
import type { ReactElement } from 'react'
import { inCell } from './in-cell.js'

const MOST_ROWS = 50

/** The rows of an answer, and how long they took. */
export function ResultTable({ result: { meta, data, rows, statistics } }: { result: PipeResult }): ReactElement {
  const shown = data.slice(0, MOST_ROWS)
  return (
    <>
      <p className="hint" data-result="">
        {rows} {rows === 1 ? 'row' : 'rows'}
        {rows > shown.length && `, of which ${shown.length} are shown`}, in {(statistics.elapsed * 1000).toFixed(1)} ms
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="scroll result" aria-label="Result" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {meta.map(({ name }) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and are never moved
              <tr key={index}>
                {meta.map(({ name }) => (
                  <td key={name}>{inCell(row[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
