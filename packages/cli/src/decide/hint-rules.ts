import { type Hint, parseRetryAfter, retryPolicy, statedWait } from '@sluice/core'
import { duration } from '@sluice/core/words'
import type { Because } from './because.js'
import { ask, type Question, type Verdict, without } from './verdict.js'

const HEADER: Record<Hint, string> = {
  'retry-after-ms': 'retry-after-ms',
  'retry-after': 'Retry-After',
  ratelimit: 'RateLimit',
  'ratelimit-reset': 'RateLimit-Reset',
  'x-ratelimit-reset': 'X-RateLimit-Reset',
}

/** H1 to H4: where the stated wait was read, or why none was. */
export function hintRules(question: Question, { lowest }: Verdict): Because[] {
  const { failure, policy, wallNow } = question
  if (failure.kind !== 'status') return []
  const { headers } = failure
  const stated = lowest.retryAfterMs
  const raw = headers.get('retry-after')
  const rules: Because[] = []
  if (raw !== null && parseRetryAfter(raw, wallNow) === null)
    rules.push({ rule: 'H1', text: `Retry-After: ${JSON.stringify(raw)} is malformed, and as good as absent.` })
  if (stated === null) {
    if (statedWait(headers, lowest.class === 'throttle', wallNow) !== null)
      rules.push({ rule: 'H4', text: `The policy's hints leave out the header that states a wait.` })
    else if (statedWait(headers, true, wallNow, policy.hints) !== null)
      rules.push({ rule: 'H4', text: 'Rate limit headers count on throttles only, and this is none.' })
    return rules
  }

  const askedWithout = (hint: Hint): number | null =>
    ask({ ...question, policy: retryPolicy({ hints: policy.hints.filter((name) => name !== hint) }, policy) }).lowest
      .retryAfterMs
  // Two headers may state the same wait: the one that alone suffices, and comes first, was read.
  const read =
    policy.hints.find((hint) => askedWithout(hint) !== stated) ??
    (Object.keys(HEADER) as Hint[]).find(
      (hint) => statedWait(headers, lowest.class === 'throttle', wallNow, [hint]) === stated,
    )
  if (read === undefined || (question.classification?.waitMs === stated && statedWait(headers, true, wallNow) === null))
    return [...rules, { rule: 'R4', text: `No header states a wait; the preset's own is ${duration(stated)}.` }]
  rules.push({
    rule: read === 'retry-after' ? 'H1' : 'H4',
    text: `${HEADER[read]}: ${JSON.stringify(headers.get(read))} asks for ${duration(stated)}.`,
  })
  if (stated === Number.MAX_SAFE_INTEGER) rules.push({ rule: 'H2', text: 'So long a wait saturates at 2^53 − 1 ms.' })
  return [...rules, ...clockRule(question, stated)]
}

/** Before every date that four digits can write. */
const LONG_AGO = -1e14

/** H3: a moment is compared with a clock; seconds from now are not. */
function clockRule(question: Question, stated: number): Because[] {
  const elsewhen = [LONG_AGO, question.wallNow + 86_400_000].map((wallNow) => ({ ...question, wallNow }))
  const moves = (asked: Question): boolean => ask(asked).lowest.retryAfterMs !== stated
  if (!elsewhen.some((asked) => moves(without(asked, 'date')))) return []
  const own = !elsewhen.some(moves)
  return [{ rule: 'H3', text: `It is a moment, compared with ${own ? "the response's own Date" : 'the wall clock'}.` }]
}
