import { type ReactElement, useId } from 'react'
import { Chart } from '../charts/chart.js'
import { CHARTS } from '../charts/series.js'
import { inWords } from '../status/in-words.js'
import type { NodeRecord } from '../status/node-record.js'
import { Figures } from './figures.js'

/** One node: in words, in figures, and over time. */
export function NodePanel({ record, second, span, timeOf }: NodePanelProps): ReactElement {
  const { node, history } = record
  const { mood, word, sentence } = inWords(node, (iso) => timeOf(Date.parse(iso) / 1000))
  const title = useId()
  return (
    <section aria-labelledby={title} className="node">
      <header className="card state" data-mood={mood}>
        <h2 id={title}>{node.name}</h2>
        <p>
          <strong className="mood">{word}.</strong> {sentence}
        </p>
      </header>
      <Figures record={record} timeOf={timeOf} />
      {CHARTS.map((spec) => (
        <Chart key={spec.title} spec={spec} history={history} second={second} span={span} timeOf={timeOf} />
      ))}
    </section>
  )
}

/** What a node's panel is given. */
export interface NodePanelProps {
  readonly record: NodeRecord
  readonly second: number
  readonly span: number
  readonly timeOf: (second: number) => string
}
