import { readFileSync } from 'node:fs'
import { tables } from '@sluice/spec'
import type { Answer } from '../script/answer.js'
import type { Call } from '../subject.js'
import type { LimitConfig } from '../table/limit-table.js'
import type { TablePolicy } from '../table/table.js'

/** How a call ended that surfaces show: the fields of the table, as spec/README.md says. */
export interface SurfaceOutcome {
  kind:
    | 'ok'
    | 'throttled'
    | 'transient'
    | 'connect'
    | 'timeout'
    | 'deadline'
    | 'queue_full'
    | 'queue_timeout'
    | 'status'
    | 'aborted'
  operation: string
  status: number | null
  failure: 'connect' | 'network' | 'timeout' | 'deadline' | 'queue_full' | 'queue_timeout' | 'held' | null
  reason: string | null
  retry_after_ms: number | null
  attempts: number
  waited_ms: number
  cause?: string
  title?: string
  deadline_ms?: number
}

/** A script that brings a call to its end. */
export interface SurfaceCall {
  policy?: TablePolicy
  request: Partial<Call['request']>
  answers: Answer[]
  random?: number
  abort_at_ms?: number
  /** The config of a limiter that it goes through. */
  limiter?: LimitConfig
  /** When it begins, on the clock that stands at 0 as the limiter is made. Default 0. */
  at_ms?: number
  /** Calls of others through the same limiter; in the same millisecond they come first. */
  others?: { at_ms?: number; policy?: TablePolicy; answers: Answer[] }[]
}

/** What a library throws (S5); 'reason': the signal's own; null: nothing. */
export type Thrown<Own> =
  | (Own & {
      status: number | null
      retry_after_ms: number | null
      attempts: number
      waited_ms: number
      reason: string
      is_throttled: boolean
    })
  | 'reason'
  | null

/** A row of surface-cases.json. */
export interface SurfaceCase {
  id: string
  rule: string
  name: string
  needs?: string[]
  outcome: SurfaceOutcome
  /** Absent where nothing brings a call to it. */
  call?: SurfaceCall
  expect: {
    cli?: { stderr: string; exit_code: number; stdout: string; json: Record<string, unknown> | null }
    cli_note?: string[]
    mcp?: {
      is_error: boolean
      text: string
      body?: string
      meta: Record<string, unknown> | null
      protocol: { code: number; message: string; data: Record<string, unknown> } | null
    } | null
    /** S3: the sentence at the end, or null; the banner's during each wait. */
    ui?: { message: string | null; waiting: string[] }
    client?: Thrown<{ title: string | null }>
    execute?: Thrown<{ throws: string }>
    fetch?: {
      returns?: number
      throws?: string
      body?: string
      outcome: Record<string, unknown> | null
      retries: number
      warnings: number
    }
  }
}

/** surface-cases.json: the rows, and the policy of those that name no preset. */
export function surfaceTable(): { policy: TablePolicy; cases: SurfaceCase[] } {
  return JSON.parse(readFileSync(tables['surface-cases'], 'utf8')) // held to its schema by the tests of this package
}
