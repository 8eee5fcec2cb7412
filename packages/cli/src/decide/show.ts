import { duration } from '../ends/duration.js'
import { because, failsFast } from './because.js'
import type { Question, Verdict } from './verdict.js'

/** The answer as one JSON object; times in ms. `giveUpOnHighDraw` names the bound that only long draws run into. */
export function asJson(question: Question, verdict: Verdict): string {
  const { lowest, highest } = verdict
  return JSON.stringify({
    retry: lowest.retry,
    class: lowest.class,
    reason: lowest.retry ? null : lowest.reason,
    failFast: failsFast(verdict),
    waitMs: lowest.retry ? { min: lowest.waitMs, max: highest.retry ? highest.waitMs : null } : null,
    giveUpOnHighDraw: lowest.retry && !highest.retry ? highest.reason : null,
    retryAfterMs: lowest.retryAfterMs,
    rules: because(question, verdict),
  })
}

/** The answer for one screen: what, then why. */
export function asText(failure: string, method: string, question: Question, verdict: Verdict): string {
  const { lowest } = verdict
  const what = /^\d/.test(failure) ? `HTTP ${failure}` : failure
  const facts = [
    ['class', lowest.class],
    ['stated wait', lowest.retryAfterMs === null ? 'none' : inMs(lowest.retryAfterMs)],
    ['wait', waitOf(verdict)],
  ]
  const rules = because(question, verdict)
  return [
    `${what} to ${method}, attempt ${question.attempt}: ${answerOf(verdict)}`,
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(11)}  ${value}`),
    '',
    ...rules.map(({ rule, text }) => `  ${rule.padEnd(3)}  ${text}`),
  ].join('\n')
}

const inMs = (ms: number): string => (ms < 1000 ? duration(ms) : `${duration(ms)} (${ms} ms)`)

function answerOf({ lowest, highest }: Verdict): string {
  if (!lowest.retry) return `give up, ${lowest.reason}`
  const longest = highest.retry ? highest.waitMs : null
  const range = longest === lowest.waitMs ? '' : longest === null ? ' or more' : ` to ${duration(longest)}`
  const unless = highest.retry ? '' : `; a long draw gives up, ${highest.reason}`
  return `retry after ${duration(lowest.waitMs)}${range}${unless}`
}

function waitOf({ lowest, highest }: Verdict): string {
  if (!lowest.retry) return 'none'
  if (!highest.retry) return `from ${lowest.waitMs} ms, by the draw`
  return highest.waitMs === lowest.waitMs
    ? inMs(lowest.waitMs)
    : `${lowest.waitMs} to ${highest.waitMs} ms, by the draw`
}
