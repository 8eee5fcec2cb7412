import type { DataSource, NodeStatus } from '@sluice/client'
import { type ReactElement, useState } from 'react'
import type { Answer } from '../api/ask.js'
import type { GatewayApi } from '../api/gateway-api.js'
import type { Condition } from '../sources/in-words.js'
import { actsOn, type OwnerAct, otherNodes, rerouteTo, routeBack } from '../sources/owner-acts.js'
import { Confirm } from './confirm.js'
import { Failure } from './failure.js'

/** What an owner may do: each asks once, and says what happened. */
export function OwnerActions({ details, condition, nodes, api, onActed }: OwnerActionsProps): ReactElement {
  const [asked, setAsked] = useState<OwnerAct | null>(null)
  const [done, setDone] = useState('')
  const [failed, setFailed] = useState<Extract<Answer<unknown>, { kind: 'failed' }> | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const others = otherNodes(details, nodes)
  const to = others.find(({ name }) => name === chosen) ?? others[0]

  const run = async (act: OwnerAct): Promise<void> => {
    setAsked(null)
    setRunning(true)
    setDone('')
    setFailed(null)
    const answer = await act.run(api)
    setRunning(false)
    if (answer.kind === 'data') setDone(answer.data)
    if (answer.kind === 'failed') setFailed(answer)
    onActed()
  }
  const offer = (act: OwnerAct): void => {
    if (!isRunning) setAsked(act)
  }

  return (
    <section className="card acts" aria-label={`For owners of ${details.name}`}>
      {actsOn(details, condition).map((act) => (
        <button type="button" key={act.changes} aria-disabled={isRunning} onClick={() => offer(act)}>
          {act.label}…
        </button>
      ))}
      {to === undefined ? (
        <span className="hint">Written to {details.node}; there is no other node.</span>
      ) : (
        <span className="reroute">
          <label htmlFor="to-node">Written to {details.node}; instead to</label>
          <select id="to-node" value={to.name} onChange={(event) => setChosen(event.target.value)}>
            {others.map(({ name, state }) => (
              <option key={name} value={name}>
                {name}
                {state === 'up' ? '' : ` (${state})`}
              </option>
            ))}
          </select>
          <button type="button" aria-disabled={isRunning} onClick={() => offer(rerouteTo(details, to.name))}>
            Reroute…
          </button>
        </span>
      )}
      {details.route !== null && (
        <button type="button" aria-disabled={isRunning} onClick={() => offer(routeBack(details))}>
          Back to where it belongs…
        </button>
      )}
      <p role="status" className="done">
        {isRunning ? 'Under way…' : done}
      </p>
      {failed !== null && <Failure of={failed} />}
      {asked !== null && <Confirm act={asked} onYes={() => void run(asked)} onNo={() => setAsked(null)} />}
    </section>
  )
}

/** What the actions are given. */
export interface OwnerActionsProps {
  readonly details: DataSource
  readonly condition: Condition
  readonly nodes: readonly NodeStatus[]
  readonly api: GatewayApi
  readonly onActed: () => void
}
