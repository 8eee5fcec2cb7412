import type { Because } from './because.js'
import { describeFailure } from './describe.js'
import { ask, type Question, same, type Verdict, without } from './verdict.js'

const TELLING = [
  { names: ['x-should-retry', 'stripe-should-retry'], what: 'The server says whether to retry' },
  { names: ['x-vercel-mitigated', 'cf-mitigated'], what: 'A page that wants proof of a human is never retried' },
]

/** R1 to R4: what kind of failure it is, and whether that kind is retried here. */
export function classRules(question: Question, verdict: Verdict): Because[] {
  const { failure } = question
  const { class: kind } = verdict.lowest
  const rules: Because[] = []
  const matters = (changed: Partial<Question>): boolean => !same(verdict, ask({ ...question, ...changed }))

  if (failure.kind === 'status') {
    for (const { names, what } of TELLING) {
      if (same(verdict, ask(without(question, ...names)))) continue
      const sent = names.filter((name) => failure.headers.get(name) !== null)
      rules.push({
        rule: 'R4',
        text: `${what}: ${sent.map((name) => `${name}: ${failure.headers.get(name)}`).join(', ')}.`,
      })
    }
    if (question.classification && ask({ ...question, classification: undefined }).lowest.class !== kind)
      rules.push({
        rule: 'R4',
        text: `The preset reads this answer as ${kind === 'final' ? 'final' : `a ${kind} failure`}.`,
      })
  }

  const what = describeFailure(failure)
  if (kind === 'throttle')
    rules.push({
      rule: 'R1',
      text: `${what} is a throttle: the server refused before acting, so any method may be repeated.`,
    })
  else if (kind === 'transient') rules.push(...transientRules(question, what, matters))
  else if (rules.length === 0)
    rules.push({ rule: 'R3', text: `${what} is neither a throttle nor transient: it is reported at once.` })
  return rules
}

function transientRules(question: Question, what: string, matters: (changed: Partial<Question>) => boolean): Because[] {
  const { failure, safe, policy } = question
  const rules: Because[] = []
  if (failure.kind === 'connect' && failure.refusedStream && matters({ failure: { kind: 'connect' } }))
    rules.push({ rule: 'R3', text: 'A refused stream was not processed: the first one may be repeated on any method.' })
  else if (failure.kind !== 'status')
    rules.push({ rule: 'R3', text: `"${what}" may pass, and the server may or may not have acted.` })
  if (!policy.retryTransientIdempotent)
    return [...rules, { rule: 'R2', text: 'retry_transient_idempotent is false: no transient failure is repeated.' }]
  if (matters({ safe: !safe }))
    rules.push({
      rule: 'R2',
      text: safe
        ? `${what} is transient, and repeating is safe: by the method, an Idempotency-Key, or the caller's mark.`
        : `${what} is transient, but repeating is not safe: the method is not idempotent, there is no Idempotency-Key, and the call is not marked.`,
    })
  else rules.push({ rule: 'R2', text: `${what} is a transient failure.` })
  return rules
}
