import { createHash, timingSafeEqual } from 'node:crypto'
import { ConfigError } from '../config-error.js'
import type { Plan } from '../quota/plan.js'
import { DEFAULT_SCOPES, type Scope } from './scopes.js'
import type { CheckedTokens } from './token-options.js'

/** Who is asking: what may be shown of a token. */
export interface TokenIdentity {
  readonly name: string
  readonly planName: string
  readonly plan: Plan
  /** Whose it is. */
  readonly tenant: string
  /** What it may do. */
  readonly scopes: readonly Scope[]
}

interface StoredToken {
  readonly hash: Buffer
  readonly identity: TokenIdentity
}

/** The known tokens. Only hashes are kept, so a dump of the process's memory or a log of this object gives none away. */
export class TokenStore {
  readonly #tokens: readonly StoredToken[]

  constructor({ tokens, plans }: CheckedTokens) {
    this.#tokens = tokens.map(({ name, token, hash, plan: planName = 'default', ...whose }) => {
      const { tenant = 'default', scopes = DEFAULT_SCOPES } = whose
      const plan = plans[planName]
      if (plan === undefined) throw new ConfigError('options', 'plans', `has no plan "${planName}"`)
      return { hash: storedHash(token, hash), identity: Object.freeze({ name, planName, plan, tenant, scopes }) }
    })
    const distinct = new Set(this.#tokens.map((it) => it.hash.toString('hex')))
    if (distinct.size < this.#tokens.length) {
      throw new ConfigError('options', 'tokens', 'holds the same secret under two names; make each its own')
    }
  }

  /** Finds a token in constant time: hashes of equal length are compared, and all of them whether one matched or not. */
  find(presented: string): TokenIdentity | undefined {
    const hash = sha256(presented)
    let found: TokenIdentity | undefined
    for (const token of this.#tokens) {
      if (timingSafeEqual(token.hash, hash)) found = token.identity
    }
    return found
  }
}

function storedHash(token: string | undefined, hash: string | undefined): Buffer {
  if (token !== undefined) return sha256(token)
  return Buffer.from((hash ?? '').replace(/^sha256:/, ''), 'hex')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
