// What fetch rejects with in the real world: a TypeError whose cause chain holds the code (R3).

/** Connecting to a name with several addresses fails as an AggregateError: one error an address. */
const IN_AGGREGATE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])
/** Codes that arrive wrapped once more, as from an agent or a proxy in between. */
const DEEPER = new Set(['EPIPE', 'ECONNABORTED', 'EAI_AGAIN'])

/**
 * The error a send fails with.
 *
 * @param failure `connect` (ECONNREFUSED), `timeout` (a DOMException named TimeoutError) or `network:<CODE>`.
 * @throws TypeError where it is none of these.
 */
export function failureError(failure: string): Error {
  if (failure === 'timeout') return new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  if (failure === 'connect') return fetchFailed(coded('ECONNREFUSED'))
  const code = /^network:(.+)$/.exec(failure)?.[1]
  if (code === undefined) {
    throw new TypeError(`failure is "${failure}"; allowed: connect, timeout, network:<CODE>`)
  }
  if (IN_AGGREGATE.has(code)) return fetchFailed(new AggregateError([coded(code), coded(code)]))
  if (DEEPER.has(code)) return fetchFailed(new Error('the connection failed', { cause: coded(code) }))
  return fetchFailed(coded(code))
}

function fetchFailed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause })
}

function coded(code: string): Error {
  return Object.assign(new Error(`scripted failure ${code}`), { code })
}
