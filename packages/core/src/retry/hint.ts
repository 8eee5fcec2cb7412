/** A response header, or family of headers, that can state a wait (H4). */
export type Hint = 'retry-after-ms' | 'retry-after' | 'ratelimit' | 'ratelimit-reset' | 'x-ratelimit-reset'

/** All of them, in the order in which they are read. */
export const HINTS: readonly Hint[] = [
  'retry-after-ms',
  'retry-after',
  'ratelimit',
  'ratelimit-reset',
  'x-ratelimit-reset',
]
