import { type SurfaceCase, scriptSurface, surfaceTable } from '@sluice/conformance/surfaces'
import * as core from '@sluice/core'
import { limiterAmongOthers, policyFromTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { expect } from 'vitest'
import { sendRow } from './send-row.js'

type Sluice = typeof import('@sluice/client')

const table = surfaceTable()

/** S5: what `unwrap()` throws. */
export async function checkClient(
  { call, outcome, expect: { client: wanted, cli } }: SurfaceCase,
  sluice: Sluice,
): Promise<void> {
  if (!call || wanted === undefined) throw new Error('the row says nothing of a client')
  const { call: made, clock, limited, begins } = scriptSurface(call, table.policy, new VirtualClock())
  const policy = policyFromTable(made.policy, sluice)
  if ('policy_error' in policy) throw new Error(`the row's policy is refused: ${policy.policy_error}`)
  const limit = limited && limiterAmongOthers(limited, clock, core)
  const sent = begins.then(() => sluice.unwrap(sendRow(made, policy, sluice, { limit })))
  const ended: unknown = await clock.run(
    sent.then(
      () => null,
      (error: unknown) => error,
    ),
  )
  if (wanted === null) return expect(ended).toBeNull()
  if (wanted === 'reason') return expect(ended).toBe(made.signal.reason)
  if (!sluice.isApiError(ended)) throw ended
  expect({
    status: ended.status,
    retry_after_ms: ended.retryAfterMs,
    attempts: ended.attempts,
    waited_ms: ended.waitedMs,
    reason: ended.reason,
    title: ended.problem?.title ?? null,
    is_throttled: sluice.isThrottled(ended),
  }).toEqual(wanted)
  expect(ended.name).toBe('ApiError')
  // One wording for every surface; the script's answers have no text of a status, which a command looks up.
  const bare = outcome.kind === 'status' && wanted.title === null
  if (cli?.json) expect(ended.message).toBe(bare ? `HTTP ${wanted.status}` : cli.json.message)
  expect(sluice.retryAfterMs(new Error('wrapped', { cause: ended }))).toBe(wanted.retry_after_ms)
  expect(sluice.isThrottled(new Error('wrapped', { cause: ended }))).toBe(wanted.is_throttled)
  expect(sluice.outcomeOf(ended)).toMatchObject({ attempts: wanted.attempts, reason: wanted.reason })
}
