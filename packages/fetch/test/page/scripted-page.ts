import { VirtualClock } from '@sluice/core/testing'
import { createPageFetch, type PageFetch, type PageFetchOptions } from '@sluice/fetch/page'
import { FakePage } from './fake-page.js'

/** One send that the scripted transport saw. */
export interface Sent {
  url: string
  init: RequestInit
  signal: AbortSignal
  atMs: number
}

export type Answer = (sent: Sent) => Response | Promise<Response>

export const fine: Answer = () => new Response('fine')
/** As browsers say it. */
export const fails: Answer = () => Promise.reject(new TypeError('Failed to fetch'))
/** Never answered; ends as the platform's fetch does when it is aborted. */
export const hangs: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
export const throttled: Answer = () => new Response('later', { status: 429, headers: { 'retry-after': '2' } })

export const URL_ = 'https://app.test/api/items?token=secret'

/** A page fetch in a fake page, on virtual time; the last answer repeats. Draws are a half. */
export function scriptedPage(
  answers: Answer[],
  options: PageFetchOptions = {},
): { fetch: PageFetch; page: FakePage; clock: VirtualClock; sent: Sent[] } {
  const [page, clock, sent] = [new FakePage(), new VirtualClock(), [] as Sent[]]
  const transport: typeof globalThis.fetch = async (input, init = {}) => {
    if (!init.signal) throw new Error('every send has a signal')
    const one = { url: String(input), init, signal: init.signal, atMs: clock.now() }
    const answer = answers[Math.min(sent.push(one), answers.length) - 1]
    if (!answer) throw new Error('the script has no answers')
    return answer(one)
  }
  const fetch = createPageFetch({ page, clock, fetch: transport, random: () => 0.5, ...options })
  return { fetch, page, clock, sent }
}

/** Whatever the promise comes to, as a value. */
export const ended = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
