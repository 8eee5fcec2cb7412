import {
  failureName,
  policyFromTable,
  refusalName,
  type SharedEnd,
  type Sharing,
  type SubjectCall,
} from '@sluice/core/conformance'

type Sluice = typeof import('@sluice/fetch')

/**
 * One call of a table as a user of the package makes it, and what that user can see of its end.
 * @param sharing what it shares with other calls; its answer is then to be read
 */
export const playCall = async (call: SubjectCall, sluice: Sluice, sharing?: Sharing): Promise<SharedEnd> => {
  const policy = policyFromTable(call.policy, sluice)
  if ('policy_error' in policy) return policy
  let status: number | null = null
  const transport: typeof fetch = async (input, init) => {
    const response = await call.fetch(input, init)
    status = response.status
    return response
  }
  let aborted: { attempts: number; waitedMs: number } | undefined
  const { clock, random, signal, request } = call
  const sluiceFetch = sluice.createFetch({
    ...{ policy, clock, random, fetch: transport, idempotent: request.idempotent },
    ...{ limit: sharing?.limiter, retryBudget: sharing?.retryBudget },
    onGiveUp: (event) => {
      aborted = event
    },
  })
  const seen = (of: unknown) => {
    const outcome = sluice.outcomeOf(of)
    return {
      status,
      reason: outcome?.reason ?? null,
      retry_after_ms: sluice.retryAfterMs(of),
      attempts: outcome?.attempts ?? Number.NaN,
      waited_ms: outcome?.waitedMs ?? Number.NaN,
    }
  }
  const { method, headers, url } = request
  const body = { none: null, replayable: 'body', stream: new Blob(['body']).stream() }[request.body]
  const duplex = request.body === 'stream' ? { duplex: 'half' } : {} // not in lib.dom's RequestInit
  try {
    const response = await sluiceFetch(url, { method, headers, body, signal, ...duplex })
    const read = sharing && { read: () => response.text() }
    return { outcome: response.status < 400 ? 'ok' : 'gave_up', failure: null, ...seen(response), ...read }
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      const { attempts = 0, waitedMs = 0 } = aborted ?? {}
      const counts = { attempts, waited_ms: waitedMs }
      return { outcome: 'aborted', status, failure: null, reason: 'aborted', retry_after_ms: null, ...counts }
    }
    const failure = refusalName(error, sluice) ?? failureName(error, sluice)
    return { outcome: 'gave_up', failure, ...seen(error) }
  }
}
