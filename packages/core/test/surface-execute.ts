import { type SurfaceCase, scriptSurface, surfaceTable } from '@sluice/conformance/surfaces'
import { limiterAmongOthers, policyFromTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { expect } from 'vitest'

type Sluice = typeof import('@sluice/core')

const table = surfaceTable()

/** What many SDKs throw. */
class StatusError extends Error {
  override readonly name = 'Error'
  readonly status: number
  readonly headers: Headers
  constructor({ status, headers }: Response) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
  }
}

/** S5: what execute() throws, and what can be asked of it. */
export async function checkExecute({ call, expect: { execute: wanted } }: SurfaceCase, sluice: Sluice): Promise<void> {
  if (!call || wanted === undefined) return
  const { call: made, clock, limited, begins } = scriptSurface(call, table.policy, new VirtualClock())
  const { random, signal, request } = made
  const policy = policyFromTable(made.policy, sluice)
  if ('policy_error' in policy) throw new Error(`the row's policy is refused: ${policy.policy_error}`)
  const operation = async ({ signal }: { signal: AbortSignal }) => {
    const response = await made.fetch(request.url, { method: request.method, headers: request.headers, signal })
    if (!response.ok) throw new StatusError(response)
  }
  const limiter = limited && limiterAmongOthers(limited, clock, sluice)
  const options = { ...{ policy, clock, random, signal, limiter }, method: request.method }
  const execute = () => sluice.execute(operation, options)
  const ended: unknown = await clock.run(begins.then(execute).catch((error: unknown) => error))

  if (wanted === null) return expect(ended).toBeUndefined()
  if (wanted === 'reason') return expect(ended).toBe(signal.reason)
  const error = ended as Error & { status?: number | null } // the next line fails where it is none
  expect(error.name).toBe(wanted.throws)
  expect(error.status ?? null).toBe(wanted.status)
  expect(sluice.isThrottled(error)).toBe(wanted.is_throttled)
  expect(sluice.retryAfterMs(error)).toBe(wanted.retry_after_ms)
  const wrapped = new Error('the report could not be made', { cause: error })
  expect(sluice.isThrottled(wrapped)).toBe(wanted.is_throttled)
  expect(sluice.retryAfterMs(wrapped)).toBe(wanted.retry_after_ms)
  expect(sluice.outcomeOf(error)).toMatchObject({
    ...{ attempts: wanted.attempts, waitedMs: wanted.waited_ms },
    ...{ reason: wanted.reason, retryAfterMs: wanted.retry_after_ms },
  })
}
