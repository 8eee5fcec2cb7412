import { RetryBanner } from '@sluice/fetch/react'
import { type ReactElement, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { GatewayApi } from '../api/gateway-api.js'
import { usePipes } from '../api/use-pipes.js'
import { NodePanel } from '../panels/node-panel.js'
import { QueryPanel } from '../panels/query-panel.js'
import { SourcesPanel } from '../panels/sources-panel.js'
import { SurgePanel } from '../panels/surge-panel.js'
import { WaitingPanel } from '../panels/waiting-panel.js'
import { SourceStore } from '../sources/source-store.js'
import { followStatus } from '../status/follow-status.js'
import { StatusStore } from '../status/status-store.js'
import type { Means } from './means.js'
import { SpanChoice } from './span-choice.js'
import { TopBar } from './top-bar.js'

/** What is shown of a gateway to whoever has a token. */
export function Console({ token, means, onRefused, onForget }: ConsoleProps): ReactElement {
  const { clock, fetch, random, timeOf, isHidden } = means
  const api = useMemo(() => new GatewayApi(fetch, token), [fetch, token])
  const store = useMemo(() => new StatusStore(clock), [clock])
  const { connection, reconnections, status, aheadMs, records, second } = useSyncExternalStore(
    store.subscribe,
    store.getSnapshot,
  )
  const sourceStore = useMemo(() => new SourceStore({ api, clock, isHidden }), [api, clock, isHidden])
  const sources = useSyncExternalStore(sourceStore.subscribe, sourceStore.getSnapshot)
  const [span, setSpan] = useState(120)
  const pipes = usePipes(api, reconnections)
  // The gateway of `npm start` has the pipe of its batch job; no other one is asked for a surge that it does not have.
  const surge = pipes?.kind === 'data' && pipes.data.pipes.some(({ name }) => name === 'job')

  useEffect(() => {
    const controller = new AbortController()
    const { setConnection: onConnection, setStatus: onStatus } = store
    const { authorization } = api
    void followStatus({ fetch, authorization, clock, random, signal: controller.signal, onConnection, onStatus })
    const stop = store.start()
    return () => {
      controller.abort()
      stop()
    }
  }, [api, store, fetch, clock, random])

  useEffect(() => () => api.close(), [api])

  useEffect(() => sourceStore.start(), [sourceStore])
  const isLive = connection.kind === 'live'
  useEffect(() => {
    if (status !== null) sourceStore.told(status.data_sources, isLive)
  }, [sourceStore, status, isLive])

  const refused = connection.kind === 'refused'
  useEffect(() => {
    if (refused) onRefused()
  }, [refused, onRefused])

  return (
    <>
      <TopBar connection={connection} status={status} onForget={onForget} />
      <main className="console">
        <div className="nodes">
          {connection.kind === 'lost' && records.length > 0 && (
            <p className="card stale">Without a connection: these figures are the last that were told.</p>
          )}
          {records.length === 0 && <p className="card hint">Waiting for the first status…</p>}
          {status !== null && sources.sources.length > 0 && (
            <SourcesPanel
              view={sources}
              nodes={status.nodes}
              {...{ api, timeOf }}
              nowMs={clock.wallNow() + aheadMs}
              onOpen={sourceStore.open}
              onActed={sourceStore.acted}
            />
          )}
          <SpanChoice span={span} onSpan={setSpan} />
          {records.map((record) => (
            <NodePanel key={record.node.name} record={record} second={second} span={span} timeOf={timeOf} />
          ))}
        </div>
        <aside className="side" aria-label="Try it">
          {surge && <SurgePanel api={api} clock={clock} live={isLive} />}
          <WaitingPanel calls={fetch.waiting} timeOf={timeOf} />
          <QueryPanel api={api} pipes={pipes} />
        </aside>
      </main>
      <RetryBanner calls={fetch.waiting} clock={clock} className="retry-banner" />
    </>
  )
}

/** What a console is given. */
export interface ConsoleProps {
  readonly token: string
  readonly means: Means
  readonly onRefused: () => void
  readonly onForget: () => void
}
