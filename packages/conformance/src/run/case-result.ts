import type { Mismatch } from './mismatch.js'

/**
 * `differs`: a case of level `may` that went otherwise; reported, never failing.
 * `known`: it failed, and a list of known failures says that it would.
 * `skipped`: the subject has no decision function, or lacks a feature the case needs; `skipReason` says which.
 */
export type Verdict = 'passed' | 'failed' | 'known' | 'differs' | 'skipped'

export interface CaseResult {
  id: string
  rule: string | null
  name: string
  /** `call`: through the public entry; `decision`: the pure decision alone. */
  scope: 'call' | 'decision'
  verdict: Verdict
  skipReason: string | null
  mismatches: readonly Mismatch[]
  /** The draw with which it differed, where the runner chose it. */
  draw: number | null
  /** Sends that reached the scripted fetch, over all draws tried. */
  sends: number
  /** Whether a call of this case has to send something. */
  mustSend: boolean
}
