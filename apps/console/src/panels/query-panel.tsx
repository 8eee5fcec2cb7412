import type { PipeList, PipeResult } from '@sluice/client'
import { type FormEvent, type ReactElement, useState } from 'react'
import type { Answer } from '../api/ask.js'
import type { GatewayApi } from '../api/gateway-api.js'
import { Failure } from './failure.js'
import { ParameterField } from './parameter-field.js'
import { ResultTable } from './result-table.js'

/** Runs the gateway's queries. A new one takes the place of one that is under way or waits for its retry. */
export function QueryPanel({ api, pipes }: { api: GatewayApi; pipes: Answer<PipeList> | null }): ReactElement {
  const [chosen, setChosen] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [answer, setAnswer] = useState<Answer<PipeResult> | null>(null)
  const [running, setRunning] = useState(0)

  const list = pipes?.kind === 'data' ? pipes.data.pipes : []
  const pipe = list.find(({ name }) => name === chosen) ?? list[0]

  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (pipe === undefined) return
    setRunning((count) => count + 1)
    const its = pipe.parameters.map((it) => [it.name, values[`${pipe.name}.${it.name}`] ?? it.default ?? ''])
    const came = await api.runPipe(pipe.name, Object.fromEntries(its))
    setRunning((count) => count - 1)
    if (came.kind !== 'aborted') setAnswer(came) // superseded: what took its place will answer
  }

  return (
    <section className="card" aria-labelledby="query">
      <h2 id="query">Run a query</h2>
      {pipes === null && <p className="hint">Asking what there is…</p>}
      {pipes?.kind === 'failed' && <Failure of={pipes} />}
      {pipes?.kind === 'data' && pipe === undefined && <p className="hint">This gateway has no pipes.</p>}
      {pipe !== undefined && (
        <form onSubmit={run} className="query">
          <label htmlFor="pipe">Pipe</label>
          <select id="pipe" value={pipe.name} onChange={(event) => setChosen(event.target.value)}>
            {list.map((it) => (
              <option key={it.name}>{it.name}</option>
            ))}
          </select>
          <p className="hint">{pipe.description}</p>
          {pipe.parameters.map((parameter) => {
            const key = `${pipe.name}.${parameter.name}`
            const set = (value: string): void => setValues((all) => ({ ...all, [key]: value }))
            return (
              <ParameterField
                key={key}
                id={key}
                parameter={parameter}
                value={values[key] ?? parameter.default ?? ''}
                onValue={set}
              />
            )
          })}
          <button type="submit" className="primary">
            Run
          </button>
          {running > 0 && <span className="hint busy">Running…</span>}
        </form>
      )}
      <div aria-busy={running > 0}>
        {answer?.kind === 'failed' && <Failure of={answer} />}
        {answer?.kind === 'data' && <ResultTable result={answer.data} />}
      </div>
    </section>
  )
}
