import { execute, RetryBudget, retryPolicy } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'

describe('R16: the shared retry budget', () => {
  test('is full at the start and never holds more', () => {
    const budget = new RetryBudget()
    budget.begin(0)
    expect(budget.tokens(3_600_000)).toBe(10)
  })

  test('ten calls earn one retry, and so does a second', () => {
    const budget = new RetryBudget()
    for (let i = 0; i < 10; i++) budget.take(0)
    for (let i = 0; i < 10; i++) budget.begin(0)
    expect(budget.tokens(0)).toBe(1)
    expect(budget.tokens(999)).toBe(1.999)
    expect(budget.tokens(1000)).toBe(2)
  })

  test('a clock that goes back takes nothing away', () => {
    const budget = new RetryBudget()
    budget.take(5000)
    expect(budget.tokens(1000)).toBe(9)
  })

  test('a size that is no number is refused by name and value', () => {
    expect(() => new RetryBudget({ perCall: Number.NaN })).toThrow(
      new TypeError('RetryBudget: perCall must be a number of at least 0; got NaN'),
    )
  })

  test('100 calls to a server that is down make 10 retries and what a second earns, not 300', async () => {
    const clock = new VirtualClock()
    const retryBudget = new RetryBudget({ perCall: 0, perSecond: 0 })
    const reasons: string[] = []
    let sends = 0
    const call = () =>
      execute(
        () => {
          sends++
          throw Object.assign(new Error('down'), { status: 503 })
        },
        {
          clock,
          retryBudget,
          idempotent: true,
          policy: retryPolicy(),
          onGiveUp: ({ reason }) => reasons.push(`${reason}`),
        },
      ).catch(() => {})
    await clock.run(Promise.all(Array.from({ length: 100 }, call)))
    expect(sends).toBe(110)
    expect(reasons.filter((reason) => reason === 'retry_budget').length).toBeGreaterThan(90)
  })

  test('throttles take nothing from it', async () => {
    const clock = new VirtualClock()
    const retryBudget = new RetryBudget({ perSecond: 0, perCall: 0 })
    const throttled = Object.assign(new Error('throttled'), { status: 429 })
    const call = execute(() => Promise.reject(throttled), { clock, retryBudget }).catch(() => {})
    await clock.run(call)
    expect(retryBudget.tokens(clock.now())).toBe(10)
  })
})
