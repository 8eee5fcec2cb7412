import { readFileSync } from 'node:fs'
import { type Answer, type Call, type ScriptedFetch, scriptedFetch } from '@sluice/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { tables } from '@sluice/spec'
import type { End } from '../src/ends/end.js'

/** A row of surface-cases.json. */
export interface SurfaceCase {
  id: string
  rule: string
  name: string
  needs?: string[]
  outcome: {
    kind: End['kind']
    status: number | null
    failure: End['failure']
    reason: End['reason']
    retry_after_ms: number | null
    attempts: number
    waited_ms: number
    cause?: string
    title?: string
    deadline_ms?: number
  }
  call?: {
    policy?: Record<string, unknown>
    request: Partial<Call['request']>
    answers: Answer[]
    random?: number
    abort_at_ms?: number
  }
  expect: {
    cli?: { stderr: string; exit_code: number; stdout: string; json: Record<string, unknown> | null }
    cli_note?: string[]
    fetch?: {
      returns?: number
      throws?: string
      body?: string
      outcome: Record<string, unknown> | null
      retries: number
    }
  }
}

const table: { policy: Record<string, unknown>; cases: SurfaceCase[] } = JSON.parse(
  readFileSync(tables['surface-cases'], 'utf8'),
)

export const surfaceCases: readonly SurfaceCase[] = table.cases

/** The call of a row, ready to be made, and the world it meets. */
export interface Scripted {
  call: Call
  script: ScriptedFetch
  clock: VirtualClock
}

/** @param call the row's own */
export function scripted({
  policy,
  request,
  answers,
  random,
  abort_at_ms,
}: NonNullable<SurfaceCase['call']>): Scripted {
  const clock = new VirtualClock()
  const script = scriptedFetch({ answers, clock, maxSends: 20 })
  const controller = new AbortController()
  if (abort_at_ms !== undefined) clock.timer(abort_at_ms, () => controller.abort(new Error('interrupted')))
  const whole = { method: 'GET', headers: {}, body: 'none', idempotent: false, ...request } as const
  const call: Call = {
    policy: policy?.preset === undefined ? { ...table.policy, ...policy } : policy,
    request: { ...whole, url: 'https://service.test/items' },
    fetch: script.fetch,
    clock,
    random: () => {
      if (random === undefined) throw new Error('the row states no draw, and one was taken')
      return random
    },
    signal: controller.signal,
  }
  return { call, script, clock }
}
