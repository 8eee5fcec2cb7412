import { failureName, policyFromTable, type SubjectCall, type SubjectEnd } from '@sluice/core/conformance'
import { failureOf } from '@sluice/fetch'
import { sendRow } from './send-row.js'

type Sluice = typeof import('@sluice/client')

/** One call of a table as a user of the package makes it, and what that user can see of its end. */
export const playCall = async (call: SubjectCall, sluice: Sluice): Promise<SubjectEnd> => {
  const policy = policyFromTable(call.policy, sluice)
  if ('policy_error' in policy) return policy
  let status: number | null = null
  const transport: typeof fetch = async (input, init) => {
    const response = await call.fetch(input, init)
    status = response.status
    return response
  }
  let aborted: { attempts: number; waitedMs: number } | undefined
  const result = await sendRow({ ...call, fetch: transport }, policy, sluice, {
    onGiveUp(event) {
      aborted = event
    },
  })
  if (result.response && result.response.status < 400) {
    const { attempts = Number.NaN, waitedMs = Number.NaN } = sluice.outcomeOf(result.response) ?? {}
    const told = { reason: null, retry_after_ms: null, attempts, waited_ms: waitedMs }
    return { outcome: 'ok', status: result.response.status, failure: null, ...told }
  }
  const error: unknown = await sluice.unwrap(result).catch((error: unknown) => error)
  if (call.signal.aborted && error === call.signal.reason) {
    const { attempts = 0, waitedMs = 0 } = aborted ?? {}
    const counts = { attempts, waited_ms: waitedMs }
    return { outcome: 'aborted', status, failure: null, reason: 'aborted', retry_after_ms: null, ...counts }
  }
  if (!sluice.isApiError(error)) throw error
  const { reason, retryAfterMs, attempts, waitedMs } = error
  return {
    outcome: 'gave_up',
    status: error.status,
    failure: result.response ? null : failureName(error.cause, { ...sluice, failureOf }),
    reason,
    retry_after_ms: retryAfterMs,
    attempts,
    waited_ms: waitedMs,
  }
}
