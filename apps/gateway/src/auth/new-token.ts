import { createHash } from 'node:crypto'
import type { TokenOptions } from './token-options.js'

/** A token that was just made. */
export interface NewToken {
  /** To be shown once: nothing keeps it. */
  readonly secret: string
  /** What goes into the file of tokens: its hash, and whose it is. */
  readonly entry: TokenOptions
}

/**
 * Makes a token.
 * @param bytes 24 of them at least, from a source of secrets
 */
export function newToken(whose: Omit<TokenOptions, 'token' | 'hash'>, bytes: Uint8Array): NewToken {
  const secret = Buffer.from(bytes).toString('base64url')
  const hash = `sha256:${createHash('sha256').update(secret, 'utf8').digest('hex')}`
  return { secret, entry: { ...whose, hash } }
}
