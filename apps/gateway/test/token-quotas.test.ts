import { describe, expect, it } from 'vitest'
import { checkTokens } from '../src/auth/token-options.js'
import { TokenStore } from '../src/auth/token-store.js'
import { TokenQuotas } from '../src/quota/token-quotas.js'

describe('TokenQuotas', () => {
  const secrets = ['secret-of-token-0001', 'secret-of-token-0002', 'secret-of-token-0003']
  const checked = checkTokens(
    {
      plans: { default: { ratePerSecond: 1, burst: 2 }, large: { ratePerSecond: 1, burst: 3 } },
      tokens: secrets.map((token, i) => ({ name: `t${i}`, token, plan: i === 2 ? 'large' : 'default' })),
    },
    'options',
  )
  const store = new TokenStore(checked)
  const identities = secrets.flatMap((secret) => store.find(secret) ?? [])

  it('gives each token what its plan has, and none what is another’s', () => {
    let nowMs = 0
    const quotas = new TokenQuotas(checked, () => nowMs)
    const admitted = () => identities.map((it) => quotas.take(it).isAdmitted)
    expect([admitted(), admitted(), admitted(), admitted()]).toEqual([
      [true, true, true],
      [true, true, true],
      [false, false, true],
      [false, false, false],
    ])
    nowMs = 1000
    expect([admitted(), admitted()]).toEqual([
      [true, true, true],
      [false, false, false],
    ])
  })
})
