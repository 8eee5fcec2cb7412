import {
  createFetch,
  type GiveUpEvent,
  isDeadline,
  isThrottled,
  outcomeOf,
  type RetryEvent,
  type RetryPolicy,
  systemClock,
} from '@sluice/fetch'
import type { End } from '../ends/end.js'
import type { World } from '../world.js'
import { causeOf } from './cause-of.js'

/** One call to make. */
export interface Plan {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: BodyInit | null
  readonly policy: RetryPolicy
  readonly idempotent: boolean
  /** Makes a key for POST and PATCH where there is none. */
  readonly makeKey: boolean
  readonly onRetry: (event: RetryEvent) => void
}

/** What a status is called at the end, by what kind of trouble it was. */
const KINDS = { throttle: 'throttled', transient: 'transient', final: 'status' } as const

/** Makes the call through @sluice/fetch, and tells how it ended; an answer comes with its body unread. */
export async function call(world: World, plan: Plan): Promise<{ end: End; response: Response | null }> {
  const { clock = systemClock, random = Math.random, signal } = world
  const transport = world.fetch ?? fetch
  const deadlineMs = plan.policy.deadlineMs
  let status: number | null = null
  let gaveUp: GiveUpEvent | undefined
  const backingOff = createFetch({
    ...{ policy: plan.policy, clock, random, idempotent: plan.idempotent, idempotencyKey: plan.makeKey },
    onRetry: plan.onRetry,
    onGiveUp(event) {
      gaveUp = event
    },
    async fetch(input, init) {
      const response = await transport(input, init)
      status = response.status
      return response
    },
  })
  const { method, url, headers, body } = plan
  const duplex = body instanceof ReadableStream ? { duplex: 'half' } : {} // not in lib.dom's RequestInit
  const rest = { cause: null, title: null, deadlineMs }
  try {
    const response = await backingOff(url, { method, headers, body, signal, ...duplex })
    const { attempts = 1, waitedMs = 0, reason = null, retryAfterMs = null } = outcomeOf(response) ?? {}
    const kind = response.status < 400 ? 'ok' : KINDS[gaveUp?.class ?? 'final']
    return { response, end: { kind, status, retryAfterMs, attempts, waitedMs, reason, failure: null, ...rest } }
  } catch (error) {
    if (!gaveUp) throw error // not a failure of the call: it was never begun
    const { attempts, waitedMs, reason, retryAfterMs, failure } = gaveUp
    const told = { status, retryAfterMs, attempts, waitedMs, reason, ...rest }
    if (signal.aborted && error === signal.reason)
      return { response: null, end: { ...told, kind: 'aborted', failure: null } }
    if (isDeadline(error)) {
      // S1: a give-up on any bound whose last failure was a throttle counts as throttled.
      return {
        response: null,
        end: { ...told, kind: isThrottled(error) ? 'throttled' : 'deadline', failure: 'deadline' },
      }
    }
    if (failure?.kind === 'timeout') return { response: null, end: { ...told, kind: 'timeout', failure: 'timeout' } }
    const network = failure?.kind === 'connect' ? 'connect' : 'network'
    return { response: null, end: { ...told, kind: 'connect', failure: network, cause: causeOf(error) } }
  }
}
