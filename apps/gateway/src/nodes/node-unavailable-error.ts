/** The node cannot answer just now: it is starting, restarting, or went away under the query. */
export class NodeUnavailableError extends Error {
  override readonly name = 'NodeUnavailableError'
  readonly code = 'NODE_UNAVAILABLE'

  constructor(
    message: string,
    /** When it is worth coming back. */
    readonly retryAfterMs: number,
    /** What the system calls it, where it was the system that said so: `ECONNREFUSED`. */
    readonly systemCode?: string,
  ) {
    super(message)
  }
}
