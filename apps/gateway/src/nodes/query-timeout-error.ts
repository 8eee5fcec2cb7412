/** A read took longer than it may. It has been told to stop. */
export class QueryTimeoutError extends Error {
  override readonly name = 'QueryTimeoutError'
  readonly code = 'QUERY_TIMEOUT'

  constructor(readonly timeoutMs: number) {
    super(`The query did not finish within ${timeoutMs} ms and is being stopped.`)
  }
}
