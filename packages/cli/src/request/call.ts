import { type End, endOfError, endOfResponse } from '@sluice/core/words'
import {
  createFetch,
  followingRedirects,
  type GiveUpEvent,
  type RetryEvent,
  type RetryPolicy,
  systemClock,
} from '@sluice/fetch'
import type { World } from '../world.js'

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

/** Makes the call through @sluice/fetch, and tells how it ended; an answer comes with its body unread. */
export async function call(world: World, plan: Plan): Promise<{ end: End; response: Response | null }> {
  const { clock = systemClock, random = Math.random, signal } = world
  const transport = followingRedirects(world.fetch ?? fetch)
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
  try {
    const response = await backingOff(url, { method, headers, body, signal, ...duplex })
    return { response, end: endOfResponse(response, gaveUp, deadlineMs) }
  } catch (error) {
    if (!gaveUp) throw error // not a failure of the call: it was never begun
    return { response: null, end: endOfError(error, gaveUp, { status, deadlineMs, signal }) }
  }
}
