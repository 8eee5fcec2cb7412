import { background, interactive, stripe } from '@sluice/core'
import { policyOfSettings } from '@sluice/core/adapter'
import { expect, it } from 'vitest'

it('is the base where nothing is asked for', () => {
  expect(policyOfSettings({})).toEqual(interactive)
  expect(policyOfSettings({ idempotent: true }, background)).toEqual(background)
})

it('takes the named preset in place of the base, and its own fields over it', () => {
  expect(policyOfSettings({ preset: 'stripe', maxAttempts: 2 }, background)).toEqual({ ...stripe, maxAttempts: 2 })
})

it('sends once where it is disabled, whatever else is said', () => {
  const policy = policyOfSettings({ disabled: true, maxAttempts: 9, preset: 'background' })
  expect([policy.maxAttempts, policy.throttleBudgetMs]).toEqual([1, null])
  expect(policyOfSettings({ disabled: false, maxAttempts: 9 }).maxAttempts).toBe(9)
})

it('refuses what no policy can hold, with the field', () => {
  expect(() => policyOfSettings({ preset: 'toString' })).toThrow(
    'preset must be one of interactive, background, disabled, github, stripe, openai, shopify, aws-json; got toString',
  )
  expect(() => policyOfSettings({ baseMs: -1 })).toThrow(expect.objectContaining({ field: 'baseMs' }))
})
