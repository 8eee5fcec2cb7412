import type { NodeStatus } from '@sluice/client'
import { type ReactElement, useState } from 'react'
import type { GatewayApi } from '../api/gateway-api.js'
import { GRAVITY, WORDS } from '../sources/in-words.js'
import { rowsOf, type SourceRow } from '../sources/sort-sources.js'
import type { SourcesView } from '../sources/source-store.js'
import { NoticeLog } from './notice-log.js'
import { SourceDetails } from './source-details.js'
import { idOfLink } from './source-line.js'
import { SourcesTable } from './sources-table.js'

/** Every data source, the one that is opened, and what their owners were told. */
export function SourcesPanel({ view, nodes, api, nowMs, timeOf, onOpen, onActed }: SourcesPanelProps): ReactElement {
  const [shown, setShown] = useState(true)
  const { sources, details, opened, isOwner, notices } = view
  const rows = rowsOf(sources, details)
  const row = rows.find(({ status }) => status.name === opened)
  return (
    <section className="sources" aria-labelledby="sources">
      <div className="card">
        <header className="sources-head">
          <h2 id="sources">Data sources</h2>
          <p role="status" className="sources-state">
            {summaryOf(rows)}
          </p>
        </header>
        <SourcesTable rows={rows} opened={opened} nowMs={nowMs} timeOf={timeOf} onOpen={onOpen} />
        <p className="hint">
          States are live. The rest is asked for once a minute, every 10 s of what is in trouble, and every 2 s of the
          one that is opened.
        </p>
      </div>
      {row?.details !== undefined && (
        <SourceDetails
          key={row.status.name}
          {...{ row, nodes, api, nowMs, timeOf, onActed }}
          details={row.details}
          isOwner={isOwner === true}
          onClose={() => {
            document.getElementById(idOfLink(row.status.name))?.focus()
            onOpen(null)
          }}
        />
      )}
      <details className="card" open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>Notices {opened === null ? 'of all data sources and nodes' : `of ${opened}`}</summary>
        <NoticeLog notices={notices} timeOf={timeOf} />
      </details>
    </section>
  )
}

/** `All 12 flow.`, `2 of 12 do not flow: 1 limited, 1 delayed.` */
function summaryOf(rows: readonly SourceRow[]): string {
  const counts = GRAVITY.filter((it) => it !== 'flowing').map(
    (condition) => [condition, rows.filter((row) => row.condition === condition).length] as const,
  )
  const told = counts.filter(([, count]) => count > 0)
  if (told.length === 0) return rows.length === 1 ? 'It flows.' : `All ${rows.length} flow.`
  const sum = told.reduce((all, [, count]) => all + count, 0)
  const words = told.map(([condition, count]) => `${count} ${WORDS[condition].toLowerCase()}`)
  return `${sum} of ${rows.length} ${sum === 1 ? 'does' : 'do'} not flow: ${words.join(', ')}.`
}

/** What the panel is given. */
export interface SourcesPanelProps {
  readonly view: SourcesView
  readonly nodes: readonly NodeStatus[]
  readonly api: GatewayApi
  /** Epoch ms, by the gateway's clock. */
  readonly nowMs: number
  readonly timeOf: (second: number) => string
  readonly onOpen: (name: string | null) => void
  readonly onActed: (name: string) => void
}
