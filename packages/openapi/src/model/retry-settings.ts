/** What `x-sluice-retry` says of an operation: its own, over its path's, over the document's. Times in milliseconds. */
export interface RetrySettings {
  /** One attempt, whatever happens. */
  readonly disabled?: boolean
  /** Whether sending it twice does no harm, where the method does not tell (R7). */
  readonly idempotent?: boolean
  /** Sends, the first included. */
  readonly maxAttempts?: number
  readonly baseMs?: number
  readonly perAttemptCapMs?: number
  readonly totalCapMs?: number
  /** The policy that the rest changes: the name of one of core's presets. */
  readonly preset?: string
}
