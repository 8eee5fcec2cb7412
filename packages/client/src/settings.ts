import type { FetchOptions, RetryPolicy } from '@sluice/fetch'

/** A token, or what gives one: asked before each attempt, so that one which expires during a wait is replaced. */
export type Bearer = string | (() => string | Promise<string>)

/** Gives the trace headers of a call, `traceparent` and `tracestate`; everything else it gives is left out. */
export type TraceSource = () => Readonly<Record<string, string>>

/** What `createFetch()` of @sluice/fetch takes beside the policy. */
export type SendOptions = Omit<FetchOptions, 'policy'>

/** All that a builder knows. */
export interface Settings {
  /** Without a slash at the end. */
  readonly url: string
  readonly bearer?: Bearer
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly timeoutMs?: number
  readonly policy?: RetryPolicy
  readonly trace?: TraceSource
  readonly options: SendOptions
}

/** What a person may see of them: no token and no header's value. */
export const shownSettings = ({ url, bearer, headers, timeoutMs }: Settings): Record<string, unknown> => ({
  url,
  bearer: bearer === undefined ? 'none' : 'redacted',
  headers: [...headers.keys()],
  timeoutMs: timeoutMs ?? null,
})
