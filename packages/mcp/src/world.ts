import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@sluice/core'

/** Everything that the command takes from outside. `src/main.ts` fills it from the process. */
export interface World {
  /** The arguments after the command's name. */
  readonly argv: readonly string[]
  /** What the command is called in its help. Default `sluice-mcp`. */
  readonly name?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  /** Protocol over stdio, and the text of `--help`. Nothing else is ever written there. */
  readonly stdout: Writable
  /** The log. */
  readonly stderr: Writable
  /** Aborts when the server is to end. */
  readonly signal: AbortSignal
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Default: the system's. */
  readonly clock?: Clock
  /** Draws from [0, 1). Default `Math.random`. */
  readonly random?: () => number
}
