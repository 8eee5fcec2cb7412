import { createFetch } from '@sluice/fetch'
import { queryDefaults, refetchEvery } from '@sluice/fetch/react'
import { type MutationObserverOptions, QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'

const waitAfter = (error: unknown, ms = 20_000): number => refetchEvery(ms)({ state: { error } })
const refused = (wait: string): Promise<Response> =>
  createFetch({ fetch: async () => new Response('later', { status: 429, headers: { 'retry-after': wait } }) })(
    'https://a.test/',
  )

describe('refetchEvery()', () => {
  test('is the time that was told, and after a failure not less than what the server stated', async () => {
    expect([waitAfter(null), waitAfter(new Error('a fault of the page'))]).toEqual([20_000, 20_000])
    const minute = await refused('60')
    expect([waitAfter(minute), waitAfter(new Error('no data', { cause: minute }))]).toEqual([60_000, 60_000])
    expect(waitAfter(await refused('11'))).toBe(20_000)
  })

  test('is never more than a timer can take, which would come at once', async () => {
    expect(waitAfter(await refused('31536000'))).toBe(2 ** 31 - 1)
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5' as unknown as number])('refuses %j', (ms) => {
    expect(() => refetchEvery(ms)).toThrow(/^refetchEvery: ms must be above 0 and at most 2147483647; got /)
  })
})

test('queryDefaults can be handed to a client, and changed for a query', async () => {
  const client = new QueryClient({ defaultOptions: queryDefaults })
  expect(client.defaultQueryOptions({ queryKey: ['a'] }).retry).toBe(queryDefaults.queries.retry)
  expect(client.defaultQueryOptions({ queryKey: ['a'], retry: 3 }).retry).toBe(3)
  expect(client.defaultMutationOptions<MutationObserverOptions>({}).retry).toBe(false)
  expect(Object.isFrozen(queryDefaults.queries)).toBe(true)
})
