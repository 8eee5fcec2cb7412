import type { ReplayClock } from '../clock.js'
import { type ScriptedFetch, scriptedFetch } from '../script/scripted-fetch.js'
import type { Call } from '../subject.js'
import type { LimitConfig } from '../table/limit-table.js'
import { mergedPolicy, type TablePolicy } from '../table/table.js'
import type { SurfaceCall } from './surface-case.js'

/** The call of a row, ready to be made, and the world it meets. */
export interface Scripted<C> {
  call: Call
  script: ScriptedFetch
  clock: C
  /** What a limiter that it goes through is made of, and who else goes through it; undefined: it goes through none. */
  limited: Limited | undefined
  /** Fulfils when the call is to begin. */
  begins: Promise<void>
}

export interface Limited {
  config: LimitConfig
  /** Calls of others. They begin at these times, before the row's own in the same millisecond. */
  others: readonly { call: Call; begins: Promise<void> }[]
}

/**
 * @param row the row's own call
 * @param policy the table's, for a row that names no preset
 * @param clock a virtual one, at its start
 */
export function scriptSurface<C extends ReplayClock>(row: SurfaceCall, policy: TablePolicy, clock: C): Scripted<C> {
  const at = (ms = 0): Promise<void> =>
    new Promise((resolve) => {
      clock.timer(ms, resolve)
    })
  const script = scriptedFetch({ answers: row.answers, clock, maxSends: 20 })
  const controller = new AbortController()
  if (row.abort_at_ms !== undefined) clock.timer(row.abort_at_ms, () => controller.abort(new Error('interrupted')))
  const whole = { method: 'GET', headers: {}, body: 'none', idempotent: false } as const
  const world = {
    clock,
    random: () => {
      if (row.random === undefined) throw new Error('the row states no draw, and one was taken')
      return row.random
    },
  }
  const others = (row.others ?? []).map(({ at_ms, answers, policy: own }) => ({
    call: {
      ...world,
      policy: mergedPolicy(policy, own),
      request: { ...whole, url: 'https://service.test/others' },
      fetch: scriptedFetch({ answers, clock, maxSends: 20 }).fetch,
      signal: new AbortController().signal,
    },
    begins: at(at_ms),
  }))
  const call: Call = {
    ...world,
    policy: mergedPolicy(policy, row.policy),
    request: { ...whole, ...row.request, url: 'https://service.test/items' },
    fetch: script.fetch,
    signal: controller.signal,
  }
  const limited = row.limiter && { config: row.limiter, others }
  return { call, script, clock, limited, begins: limited ? at(row.at_ms) : Promise.resolve() }
}
