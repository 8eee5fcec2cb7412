import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { bearerToken } from '../src/auth/bearer.js'
import { checkTokens } from '../src/auth/token-options.js'
import { TokenStore } from '../src/auth/token-store.js'

const secret = 'correct-horse-battery'
const hash = createHash('sha256').update(secret).digest('hex')

const storeOf = (input: unknown) => new TokenStore(checkTokens(input, 'options'))

describe('TokenStore', () => {
  it('knows a token by its value and by its hash, with its plan', () => {
    const fast = { ratePerSecond: 100, burst: 50 }
    for (const given of [{ token: secret }, { hash }, { hash: `sha256:${hash.toUpperCase()}` }]) {
      const store = storeOf({ plans: { fast }, tokens: [{ name: 'ann', plan: 'fast', ...given }] })
      expect(store.find(secret)).toEqual({
        name: 'ann',
        planName: 'fast',
        plan: fast,
        tenant: 'default',
        scopes: ['read:*'],
      })
      expect(store.find(`${secret}x`)).toBeUndefined()
      expect(store.find(hash)).toBeUndefined()
    }
  })

  it('tells tokens apart, the last as well as the first', () => {
    const tokens = Array.from({ length: 50 }, (_, index) => ({ name: `t${index}`, token: `${secret}-${index}` }))
    const store = storeOf({ tokens })
    for (const { name, token } of tokens) expect(store.find(token)?.name).toBe(name)
  })

  it('keeps no secret in memory that an inspection could show', () => {
    const store = storeOf({ tokens: [{ name: 'ann', token: secret }] })
    expect(inspect(store, { depth: 9, showHidden: true })).not.toContain(secret)
  })

  it('refuses one secret under two names', () => {
    const tokens = [
      { name: 'ann', token: secret },
      { name: 'bob', hash },
    ]
    expect(() => storeOf({ tokens })).toThrow('options: tokens holds the same secret under two names')
  })
})

describe('checkTokens', () => {
  const cases: [string, unknown, string][] = [
    ['no tokens', { tokens: [] }, 'tokens.json: tokens is empty: at least one token is needed'],
    ['not a list', { tokens: 'abc' }, 'tokens.json: tokens is a string; it must be a list of tokens'],
    ['a short token', { tokens: [{ name: 'a', token: 'short' }] }, 'tokens.0.token is too short to be a secret'],
    ['a token with a space', { tokens: [{ name: 'a', token: `${secret} x` }] }, 'tokens.0.token may hold only'],
    ['a bad hash', { tokens: [{ name: 'a', hash: 'abc' }] }, 'tokens.0.hash must be a SHA-256 in hex'],
    ['both', { tokens: [{ name: 'a', token: secret, hash }] }, 'tokens.0 needs one of "token" and "hash", not both'],
    ['neither', { tokens: [{ name: 'a' }] }, 'tokens.0 needs one of "token" and "hash", not both'],
    ['a bad name', { tokens: [{ name: 'a b', token: secret }] }, 'tokens.0.name must be 1 to 64 letters'],
    [
      'an unknown plan',
      { tokens: [{ name: 'a', token: secret, plan: 'gold' }] },
      '"gold" is not a plan; known are default',
    ],
    [
      'a name twice',
      {
        tokens: [
          { name: 'a', token: secret },
          { name: 'a', token: `${secret}2` },
        ],
      },
      '"a" is there twice',
    ],
    [
      'a rate of 0',
      { plans: { p: { ratePerSecond: 0, burst: 1 } }, tokens: [] },
      'plans.p.ratePerSecond must be above 0',
    ],
    [
      'half a burst',
      { plans: { p: { ratePerSecond: 1, burst: 0.5 } }, tokens: [] },
      'plans.p.burst must be a whole number',
    ],
    [
      'an unknown key',
      { tokens: [{ name: 'a', token: secret, rate: 3 }] },
      'tokens.0 has "rate", which it cannot have; there are name, token, hash',
    ],
  ]

  it.each(cases)('refuses %s in one line that names the field', (_, input, message) => {
    expect(() => checkTokens(input, 'tokens.json')).toThrow(message)
    expect(() => checkTokens(input, 'tokens.json')).not.toThrow(/correct-horse|short-secret/)
  })

  it('lets the plan "default" be replaced', () => {
    const plans = { default: { ratePerSecond: 1, burst: 1 } }
    expect(checkTokens({ plans, tokens: [{ name: 'a', token: secret }] }, 'x').plans).toEqual(plans)
  })
})

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc ', 'abc'],
    ['BEARER a-b_c.d~e+f/g==', 'a-b_c.d~e+f/g=='],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['Bearer a,b', undefined],
    [undefined, undefined],
  ])('reads %s as %s', (header, token) => {
    expect(bearerToken(header)).toBe(token)
  })
})
