/** One request as it arrived at the scripted server. Times are the clock's monotonic milliseconds. */
export interface Arrival {
  /** When its headers had been read. */
  atMs: number
  method: string
  /** As it was sent, `/case/ID` included. */
  path: string
  /** In lower case. */
  headers: Readonly<Record<string, string>>
  /** The body's text; '' without one. */
  body: string
  /**
   * Just before its answer, or its failure, was given to the socket; null: not yet. The time before and not after: so
   * a client that waits as long as it was asked is never measured as early, however busy this process is.
   */
  answeredAtMs: number | null
  /** When the client closed the connection before it had its answer; null: it did not. */
  leftAtMs: number | null
}
