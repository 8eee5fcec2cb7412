import type { ReplayClock } from '../clock.js'
import { type ScriptedFetch, scriptedFetch } from '../script/scripted-fetch.js'
import type { Call } from '../subject.js'
import type { TablePolicy } from '../table/table.js'
import type { SurfaceCall } from './surface-case.js'

/** The call of a row, ready to be made, and the world it meets. */
export interface Scripted<C> {
  call: Call
  script: ScriptedFetch
  clock: C
}

/**
 * @param row the row's own call
 * @param policy the table's, for a row that names no preset
 * @param clock a virtual one, at its start
 */
export function scriptSurface<C extends ReplayClock>(row: SurfaceCall, policy: TablePolicy, clock: C): Scripted<C> {
  const script = scriptedFetch({ answers: row.answers, clock, maxSends: 20 })
  const controller = new AbortController()
  if (row.abort_at_ms !== undefined) clock.timer(row.abort_at_ms, () => controller.abort(new Error('interrupted')))
  const whole = { method: 'GET', headers: {}, body: 'none', idempotent: false, ...row.request } as const
  const call: Call = {
    policy: row.policy?.preset === undefined ? { ...policy, ...row.policy } : row.policy,
    request: { ...whole, url: 'https://service.test/items' },
    fetch: script.fetch,
    clock,
    random: () => {
      if (row.random === undefined) throw new Error('the row states no draw, and one was taken')
      return row.random
    },
    signal: controller.signal,
  }
  return { call, script, clock }
}
