import { duration } from '@sluice/core/words'
import { because, failsFast } from './because.js'
import { isSuccess } from './success.js'
import type { Question, Verdict } from './verdict.js'

/**
 * The answer as one JSON object; times in ms. A success has neither a class nor a reason. `giveUpOnHighDraw` names the
 * bound that only long draws run into.
 */
export function asJson(question: Question, verdict: Verdict): string {
  const { lowest, highest } = verdict
  const success = isSuccess(question.failure)
  return JSON.stringify({
    retry: lowest.retry,
    class: success ? null : lowest.class,
    reason: success || lowest.retry ? null : lowest.reason,
    failFast: failsFast(verdict),
    waitMs: lowest.retry ? { min: lowest.waitMs, max: highest.retry ? highest.waitMs : null } : null,
    giveUpOnHighDraw: lowest.retry && !highest.retry ? highest.reason : null,
    retryAfterMs: success ? null : lowest.retryAfterMs,
    rules: because(question, verdict),
  })
}

/** The answer for one screen: what, then why. */
export function asText(failure: string, method: string, question: Question, verdict: Verdict): string {
  const { lowest } = verdict
  const what = /^\d/.test(failure) ? `HTTP ${failure}` : failure
  const head = `${what} to ${method}, attempt ${question.attempt}:`
  const rules = because(question, verdict).map(({ rule, text }) => `  ${rule.padEnd(3)}  ${text}`)
  if (isSuccess(question.failure)) return [`${head} a success, nothing to retry`, '', ...rules].join('\n')
  const facts = [
    ['class', lowest.class],
    ['stated wait', lowest.retryAfterMs === null ? 'none' : inMs(lowest.retryAfterMs)],
    ['wait', waitOf(verdict)],
  ]
  return [
    `${head} ${answerOf(verdict)}`,
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(11)}  ${value}`),
    '',
    ...rules,
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
