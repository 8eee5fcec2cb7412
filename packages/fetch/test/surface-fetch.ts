import { type SurfaceCase, scriptSurface, surfaceTable } from '@sluice/conformance/surfaces'
import { limiterAmongOthers, policyFromTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { expect } from 'vitest'

type Sluice = typeof import('@sluice/fetch')

const table = surfaceTable()

/** S4: what the fetch hands to its caller, and what it tells beside it. */
export async function checkFetch({ call, expect: { fetch: wanted } }: SurfaceCase, sluice: Sluice): Promise<void> {
  if (!call || !wanted) return
  const { returns, throws, body, outcome, retries } = wanted
  const { call: made, clock, limited, begins } = scriptSurface(call, table.policy, new VirtualClock())
  const { random, signal, fetch: transport, request } = made
  const policy = policyFromTable(made.policy, sluice)
  if ('policy_error' in policy) throw new Error(`the row's policy is refused: ${policy.policy_error}`)
  const seen: number[] = []
  const lines: string[] = []
  const warnings: string[] = []
  const backingOff = sluice.createFetch({
    ...{ policy, clock, random, fetch: transport },
    limit: limited && limiterAmongOthers(limited, clock, sluice),
    onRetry: (event) => void seen.push(event.attempt),
    logger: { debug: (line) => lines.push(line), warn: (line) => warnings.push(line) },
  })
  const init = {
    ...{ method: request.method, headers: request.headers, signal },
    body: { none: null, replayable: 'body', stream: new Blob(['body']).stream() }[request.body],
    ...(request.body === 'stream' && { duplex: 'half' }), // not in lib.dom's RequestInit
  }
  const answered = begins.then(() => backingOff(request.url, init))
  const ended: unknown = await clock.run(answered.catch((error: unknown) => error))

  if (returns !== undefined) {
    const response = ended as Response // the next line fails where it is none
    expect(ended).toBeInstanceOf(Response)
    expect(response.status).toBe(returns)
    expect(response.bodyUsed).toBe(false)
    if (body !== undefined) expect(await response.text()).toBe(body)
  } else if (throws === 'reason') expect(ended).toBe(signal.reason)
  else expect((ended as Error).name).toBe(throws)

  const told = sluice.outcomeOf(ended)
  expect(told ?? null).toEqual(
    outcome && {
      ...{ attempts: outcome.attempts, waitedMs: outcome.waited_ms },
      ...{ reason: outcome.reason, retryAfterMs: outcome.retry_after_ms },
    },
  )
  expect(seen).toEqual(Array.from({ length: retries }, (_, i) => i + 2))
  expect(warnings).toHaveLength(wanted.warnings)
  expect(lines).toHaveLength(retries - wanted.warnings)
}
