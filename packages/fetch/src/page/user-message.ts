import { isAttemptTimeout, isDeadline, isQueueFull, isQueueTimeout, isThrottled, outcomeOf } from '@sluice/core'
import { causes } from '@sluice/core/adapter'
import { duration } from '@sluice/core/words'
import { retryAfterMs } from '../retry-after-ms.js'
import { classOf, wasAborted } from './ends.js'

const NO_ANSWER = 'No answer from the server in time — please retry'
const TOO_MANY = 'Too many requests at once — please retry shortly'

/** An answer, or an error of a client that tells what it was. */
interface Answered {
  status?: unknown
  statusText?: unknown
  problem?: { title?: unknown } | null
}

/** A caller's own `AbortSignal.timeout()`, or another client's timeout. */
const timedOut = (end: object): boolean => (end as Error).name === 'TimeoutError'

/** `5 s`, as a page writes it. */
const seconds = (ms: number): string => duration(ms).replace(/m?s$/, ' $&')

/**
 * What a person is told of how a call ended (S3): one sentence, without a stack, a URL or an address.
 *
 * @param of the `Response` or the error that the call ended with, or an error that has it as `cause` or `response`
 * @returns null where there is nothing to tell: it went well, was aborted, or there is no error (null, undefined)
 */
export function userMessage(of: unknown): string | null {
  const chain = causes(of)
  const late = chain.some(timedOut)
  if (of == null || (chain.some(wasAborted) && !late)) return null
  const wait = retryAfterMs(of)
  const when = wait === null ? 'please retry shortly' : `server asked to retry in ${seconds(wait)}`
  if (isThrottled(of)) return `Rate limited — ${when}`
  if (late || isDeadline(of) || isAttemptTimeout(of)) return NO_ANSWER
  if (isQueueFull(of) || isQueueTimeout(of)) return TOO_MANY
  for (const link of chain as (object & Answered)[]) {
    const { status, statusText, problem } = link
    if (link === of && link instanceof Response && link.status < 400) return null
    if (typeof status !== 'number' || status < 400) continue
    const kind = classOf(link, status)
    if (kind === 'throttle') return `Rate limited — ${when}`
    if (kind === 'transient') return `Request failed (HTTP ${status}) — ${when}`
    const title = [problem?.title, statusText].find((text) => typeof text === 'string' && text !== '')
    return `Request failed (HTTP ${status})${title === undefined ? '' : `: ${title}`}`
  }
  // Whatever this library had no part in may be a fault of the page itself, as what it makes of an answer that went well.
  return chain.some((link) => outcomeOf(link)?.reason)
    ? 'No connection to the server — please check the network and retry'
    : 'Request failed — please retry'
}
