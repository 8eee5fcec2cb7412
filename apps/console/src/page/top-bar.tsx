import type { Status } from '@sluice/client'
import type { ReactElement } from 'react'
import type { Connection } from '../status/connection.js'

const GATEWAY = { ok: 'ok', degraded: 'degraded', down: 'down' } as const
const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost; connecting again…',
  refused: 'Refused',
}

/** What this is, how the gateway is, and whether what is shown is the present. */
export function TopBar({ connection, status, onForget }: TopBarProps): ReactElement {
  const isLive = connection.kind === 'live'
  return (
    <header className="top">
      <h1>Sluice console</h1>
      {status !== null && (
        <span className="chip" data-state={isLive ? status.state : 'past'}>
          Gateway {isLive ? '' : 'was '}
          {GATEWAY[status.state]}
        </span>
      )}
      <span className="chip" data-state={connection.kind} role="status">
        {CONNECTION[connection.kind]}
      </span>
      {connection.kind === 'lost' && <span className="hint">{connection.message}</span>}
      <button type="button" onClick={onForget}>
        Forget token
      </button>
    </header>
  )
}

/** What the bar is given. */
export interface TopBarProps {
  readonly connection: Connection
  readonly status: Status | null
  readonly onForget: () => void
}
