import type { Clock } from '@sluice/fetch/page'
import { type ReactElement, useCallback, useEffect, useState } from 'react'
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
const ASK_AGAIN_MS = 1000

/** Starts the surge of `npm start`. There is nothing of it where the gateway offers none. */
export function SurgePanel({ api, clock }: { api: GatewayApi; clock: Clock }): ReactElement | null {
  const [surge, setSurge] = useState<Surge | null>(null)
  const [failed, setFailed] = useState<Extract<Answer<Surge>, { kind: 'failed' }> | null>(null)
  const take = useCallback((answer: Answer<Surge>): void => {
    if (answer.kind === 'data') setSurge(answer.data)
    setFailed(answer.kind === 'failed' ? answer : null)
  }, [])

  useEffect(() => {
    let there = true
    // 404: there is none here, which is no failure.
    void api.surge().then((answer) => there && answer.kind === 'data' && setSurge(answer.data))
    return () => {
      there = false
    }
  }, [api])

  const running = surge !== null && surge.state !== 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is followed by the next question
  useEffect(() => {
    if (running) return clock.timer(ASK_AGAIN_MS, async () => take(await api.surge()))
  }, [running, surge, api, clock, take])

  if (surge === null) return null
  return (
    <section className="card" aria-labelledby="surge">
      <h2 id="surge">Surge</h2>
      <p className="hint">
        24 callers ask light questions, then a batch job begins in the same engine. Nobody is refused: everything gets
        slower, and the limit falls.
      </p>
      <button
        type="button"
        className="primary"
        aria-disabled={running}
        onClick={async () => running || take(await api.startSurge())}
      >
        Start the surge
      </button>
      <p role="status" className="surge-state">
        {WORDS[surge.state]}
      </p>
      {surge.failure !== null && <p className="failure">{surge.failure}</p>}
      {failed !== null && <Failure of={failed} />}
    </section>
  )
}
