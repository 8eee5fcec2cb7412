import type { Clock } from '@sluice/fetch/page'
import { type ReactElement, useEffect, useState } from 'react'
import type { Answer } from '../api/ask.js'
import type { GatewayApi, Surge } from '../api/gateway-api.js'
import { Failure } from './failure.js'

const WORDS: Readonly<Record<Surge['state'], string>> = {
  idle: 'Not running.',
  preparing: 'Trying how fast this machine is…',
  calm: 'Callers ask light questions; all is well…',
  job: 'A batch job runs beside them, past the limit…',
  after: 'The job is done; the limit comes back…',
}
/** While one is under way, and while none is: another tab may start it. */
const LOOK_AGAIN_MS = { running: 1000, idle: 5000 }

type Failed = Extract<Answer<Surge>, { kind: 'failed' }>

/**
 * Starts the surge of `npm start`. There is nothing of it where the gateway offers none.
 * @param props.live it is looked at only while there is a connection to the gateway: nothing new can be heard without
 */
export function SurgePanel({ api, clock, live }: SurgePanelProps): ReactElement | null {
  const [surge, setSurge] = useState<Surge | null>(null)
  const [unseen, setUnseen] = useState<Failed | null>(null)
  const [unstarted, setUnstarted] = useState<Failed | null>(null)
  const [started, setStarted] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one that was just started is looked at anew
  useEffect(() => {
    if (!live) return
    let there = true
    let cancel = (): void => {}
    const look = async (): Promise<void> => {
      const seen = await api.surge()
      if (!there || (seen.kind === 'failed' && seen.status === 404)) return // 404: there is none, which is no failure
      if (seen.kind === 'data') setSurge(seen.data)
      if (seen.kind !== 'aborted') setUnseen(seen.kind === 'failed' ? seen : null)
      const running = seen.kind === 'data' && seen.data.state !== 'idle'
      cancel = clock.timer(running ? LOOK_AGAIN_MS.running : LOOK_AGAIN_MS.idle, look)
    }
    void look()
    return () => {
      there = false
      cancel()
    }
  }, [api, clock, live, started])

  const running = surge !== null && surge.state !== 'idle'
  const start = async (): Promise<void> => {
    if (running) return
    const answer = await api.startSurge()
    if (answer.kind === 'data') setSurge(answer.data)
    if (answer.kind !== 'aborted') setUnstarted(answer.kind === 'failed' ? answer : null)
    setStarted((count) => count + 1)
  }

  if (surge === null) return null
  return (
    <section className="card" aria-labelledby="surge">
      <h2 id="surge">Surge</h2>
      <p className="hint">
        24 callers ask light questions, then a batch job begins in the same engine. Nobody is refused: everything gets
        slower, and the limit falls.
      </p>
      <button type="button" className="primary" aria-disabled={running} onClick={start}>
        Start the surge
      </button>
      <p role="status" className="surge-state">
        {WORDS[surge.state]}
      </p>
      {surge.failure !== null && <p className="failure">{surge.failure}</p>}
      {unstarted !== null && <Failure of={unstarted} />}
      {unseen !== null && <Failure of={unseen} />}
    </section>
  )
}

/** What the panel is given. */
export interface SurgePanelProps {
  readonly api: GatewayApi
  readonly clock: Clock
  readonly live: boolean
}
