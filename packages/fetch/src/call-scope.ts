import type { ExecuteOptions, GiveUpEvent } from '@sluice/core'

/** What an adapter around the fetch adds to one call. */
export interface CallScope {
  /** In place of the caller's signal, which it follows. Aborted already: nothing is sent. */
  readonly signal: AbortSignal
  /** U3: what holds a retry back; it tells when it begins to, since the page is offline, and when it ends. */
  holdBack(tell: (offline: boolean) => void): NonNullable<ExecuteOptions<Response>['holdBack']>
  /**
   * An attempt was answered.
   * @returns what is called when the body of that answer is over
   */
  answered(response: Response): () => void
  /** The call ends without success. */
  gaveUp(event: GiveUpEvent): void
  /** The call is over, with this response or error. A body may still come. */
  settled(end: unknown): void
}
