import type { DataSource, NodeStatus } from '@sluice/client'
import { type ReactElement, useEffect, useRef } from 'react'
import type { GatewayApi } from '../api/gateway-api.js'
import { bytes, duration, elapsed, grouped } from '../sources/amounts.js'
import { sentenceOf, WORDS } from '../sources/in-words.js'
import type { SourceRow } from '../sources/sort-sources.js'
import { Figure } from './figures.js'
import { OwnerActions } from './owner-actions.js'

const MOODS = { limited: 'bad', delayed: 'slow', paused: 'unknown', flowing: 'good' } as const

/** The data source that is opened: in words, in figures, and what its owner may do. */
export function SourceDetails(props: SourceDetailsProps): ReactElement {
  const { row, details, isOwner, nodes, api, nowMs, timeOf, onActed, onClose } = props
  const { condition, status } = row
  const { name, description, freshness, backlog, limited_until, quarantined_rows, plan } = details
  const card = useRef<HTMLElement>(null)
  // Below the table it may be out of sight. Some browsers answer with a promise, which is no cleanup: nothing is handed on.
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const time = (iso: string | null): string => (iso === null ? 'never' : timeOf(Date.parse(iso) / 1000))
  return (
    <section ref={card} className="source" aria-labelledby="source">
      <header className="card state" data-mood={MOODS[condition]}>
        <h3 id="source">{name}</h3>
        <p>
          <strong className="mood">{WORDS[condition]}</strong> since {time(status.state_since)}. {sentenceOf(condition)}
        </p>
        {description !== '' && <p className="hint">{description}</p>}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      <dl className="figures">
        <Figure
          name="Behind"
          value={freshness.lag_s === null ? '–' : duration(freshness.lag_s * 1000)}
          note={`newest seen: ${time(freshness.written_at)}`}
        />
        <Figure name="Rows that wait" value={grouped(backlog.rows)} note={bytes(backlog.bytes)} />
        <Figure
          name="Oldest"
          value={backlog.oldest_at === null ? '–' : elapsed(nowMs - Date.parse(backlog.oldest_at))}
          note={`flushed every ${(plan.flush_interval_ms ?? 1000) / 1000} s`}
        />
        {backlog.unknown_blocks > 0 && (
          <Figure
            name="Unknown blocks"
            value={grouped(backlog.unknown_blocks)}
            note="looked up before they are sent again"
          />
        )}
        <Figure name="Limit" value={limited_until === null ? 'none' : `until ${time(limited_until)}`} />
        <Figure name="In quarantine" value={grouped(quarantined_rows)} note="rows that did not fit" />
      </dl>
      {isOwner && <OwnerActions {...{ details, condition, nodes, api }} onActed={() => onActed(name)} />}
    </section>
  )
}

/** What the details are given. */
export interface SourceDetailsProps {
  readonly row: SourceRow
  readonly details: DataSource
  readonly isOwner: boolean
  readonly nodes: readonly NodeStatus[]
  readonly api: GatewayApi
  readonly nowMs: number
  readonly timeOf: (second: number) => string
  readonly onActed: (name: string) => void
  readonly onClose: () => void
}
