import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@sluice/core'

/** Everything that a command takes from outside. `src/main.ts` fills it from the process. */
export interface World {
  /** The arguments after the command's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Which of the streams a person looks at: waiting notes and colour go nowhere else (S1). */
  readonly isTTY: { readonly stdout: boolean; readonly stderr: boolean }
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Default: the system's. */
  readonly clock?: Clock
  /** Draws from [0, 1). Default `Math.random`. */
  readonly random?: () => number
}
