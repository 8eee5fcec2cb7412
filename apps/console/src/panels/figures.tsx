import type { ReactElement, ReactNode } from 'react'
import { inMs } from '../charts/series.js'
import type { NodeRecord } from '../status/node-record.js'

const TRUST = { unknown: 'being learned', provisional: 'stated beforehand', trusted: 'learned' } as const

const ms = (value: number | null): string => (value === null ? '–' : inMs(value))

/** The figures of a node's limit as they are now. */
export function Figures({ record, timeOf }: { record: NodeRecord; timeOf: (second: number) => string }): ReactElement {
  const { limit: it } = record.node
  const hold = it.hold_until === null ? 'none' : `until ${timeOf(Date.parse(it.hold_until) / 1000)}`
  return (
    <dl className="figures">
      <Figure name="Limit" value={it.limit} note={`of ${it.max_concurrent}`} />
      <Figure
        name="In flight"
        value={it.in_flight}
        note={it.past_limit > 0 ? `+ ${it.past_limit} past the limit` : ''}
      />
      <Figure name="Queued" value={it.queued} note={it.shedding ? 'refused soon: they would wait in vain' : ''} />
      <Figure name="Latency ceiling" value={it.latency_ceiling} note="falls while it is slow" />
      <Figure name="Throttle ceiling" value={it.throttle_ceiling} note="halved by a refusal" />
      <Figure name="p90" value={ms(it.p90_ms)} note={`smoothed ${ms(it.smoothed_ms)}`} />
      <Figure name="Baseline" value={ms(it.baseline_ms)} note={TRUST[it.baseline_trust]} />
      <Figure name="Ratio" value={it.ratio === null ? '–' : `${it.ratio.toFixed(2)} ×`} note="smoothed to baseline" />
      <Figure name="Throttles" value={it.throttles} note="since the gateway started" />
      <Figure name="Hold" value={hold} />
    </dl>
  )
}

/** One of them. */
export function Figure({ name, value, note = '' }: { name: string; value: ReactNode; note?: string }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b data-figure={name}>{value}</b>
        <span className="hint">{note}</span>
      </dd>
    </div>
  )
}
