import { type ReactElement, useId, useState } from 'react'
import { KEPT_SECONDS } from '../status/history.js'
import { Plot, type PlotProps } from './plot.js'
import { Swatch } from './swatch.js'
import { ValuesTable, valueAt } from './values-table.js'

/** A chart with its legend, which tells the latest values or those at the pointer, and its table. */
export function Chart(props: Omit<PlotProps, 'onPointed'>): ReactElement {
  const { spec, history, timeOf } = props
  const [pointed, setPointed] = useState<number | null>(null)
  const index = pointed ?? KEPT_SECONDS - 1
  const title = useId()
  return (
    <section className="card chart" aria-labelledby={title}>
      <header>
        <h3 id={title}>{spec.title}</h3>
        <p className="hint">{spec.caption}</p>
      </header>
      <ul className="legend">
        {spec.series.map((series) => (
          <li key={series.figure}>
            <Swatch series={series} />
            <span>{series.label}</span>
            <b>{valueAt(history, index, series)}</b>
          </li>
        ))}
        {pointed !== null && <li className="hint">at {timeOf(history.times[pointed] ?? 0)}</li>}
      </ul>
      <Plot {...props} onPointed={setPointed} />
      <ValuesTable spec={spec} history={history} timeOf={timeOf} />
    </section>
  )
}
