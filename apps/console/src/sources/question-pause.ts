import type { Answer } from '../api/ask.js'

/** Between two questions of the page's own, in ms. */
const QUICK_MS = 250
const SLOW_MS = 1000
/** After one that was not answered. */
const FAILED_MS = 5000

/**
 * How long the page asks nothing of its own after an answer, in ms: it leaves half of the token's quota to whoever uses it.
 * Never shorter than what a refusal stated.
 */
export function pauseAfter(answer: Answer<unknown>): number {
  if (answer.kind === 'failed') return answer.status === null || answer.status >= 429 ? waitOf(answer) : SLOW_MS
  if (answer.kind === 'aborted') return FAILED_MS
  const [, left = '0', restS = '1'] = /;r=(\d+);t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? []
  const [, most = '0'] = /;q=(\d+)/.exec(answer.headers.get('ratelimit-policy') ?? '') ?? []
  if (2 * Number(left) >= Number(most)) return QUICK_MS
  return Number(left) > 1 ? SLOW_MS : Math.max(SLOW_MS, 1000 * Number(restS))
}

const waitOf = ({ retryAfterMs }: { readonly retryAfterMs: number | null }): number =>
  Math.max(FAILED_MS, retryAfterMs ?? 0)
