import { createFetch } from '@sluice/fetch'
import { useRetryState } from '@sluice/fetch/react'
import { expect, test } from 'vitest'

test('useRetryState() refuses what is no store, and says what is one', () => {
  const use = (calls: unknown) => () => useRetryState(calls as Parameters<typeof useRetryState>[0])
  const said = "useRetryState: calls must be a fetch's `waiting`, as in `fetch.waiting`; got "
  expect(use(createFetch())).toThrow(new TypeError(`${said}a function`))
  expect(use(undefined)).toThrow(new TypeError(`${said}undefined`))
})
