import type { Clock, Logger, RetryPolicy } from '@sluice/core'
import type { End } from '@sluice/core/words'

/** How calls are made: everything set. */
export interface CallSettings {
  readonly baseUrl: string
  /** Sent with every request; may hold secrets. */
  readonly headers: Headers
  /** Placed as each operation's security asks; null: none is sent. */
  readonly token: string | null
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly random: () => number
  /** What the document's own settings of an operation go over. */
  readonly policy: RetryPolicy
  /** False: one attempt a call. */
  readonly retry: boolean
  /** Bounds the whole call, its waits and the reading of its answer; null: nothing does. */
  readonly deadlineMs: number | null
  /** The most characters of an answer that are handed over. */
  readonly maxChars: number
  readonly errorMode: 'result' | 'protocol'
  readonly onEnd: ((event: CallEnded) => void) | undefined
  readonly logger: Logger | undefined
}

/** A tool call is over. Holds no argument, no URL and no header. */
export interface CallEnded {
  /** The tool's name. */
  readonly tool: string
  readonly end: End
}
