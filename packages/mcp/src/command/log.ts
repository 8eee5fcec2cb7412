import type { Writable } from 'node:stream'
import { visible } from '../tools/plain-text.js'

const LEVELS = ['silent', 'error', 'info', 'debug'] as const

export type LogLevel = (typeof LEVELS)[number]
export const logLevels: readonly LogLevel[] = LEVELS

/** What is written to stderr, a line each. Never a secret, a URL's query or a header. */
export interface Log {
  error(line: string): void
  /** A long wait (R15), for one. */
  warn(line: string): void
  info(line: string): void
  debug(line: string): void
}

export function logOf(stderr: Writable, level: LogLevel): Log {
  stderr.on('error', () => {}) // nobody is left to tell
  const at = (of: LogLevel) => (line: string) => {
    if (LEVELS.indexOf(of) <= LEVELS.indexOf(level)) stderr.write(`${visible(line)}\n`)
  }
  return { error: at('error'), warn: at('info'), info: at('info'), debug: at('debug') }
}
