import { background, createFetch, interactive, type RetryPolicy } from '@sluice/fetch'
import type { Client } from './client.js'

const make =
  (policy: RetryPolicy): Client['make'] =>
  ({ transport, clock, random }) => {
    const fetch = createFetch({ policy, fetch: transport, clock, random })
    return { call: fetch, waiting: fetch.waiting }
  }

/** `createFetch()` as it comes. */
export const sluice: Client = {
  id: 'sluice',
  name: '@sluice/fetch',
  manner: `waits as long as it is told, up to ${interactive.maxAttempts} sends`,
  ifLost: `Somebody waits for these calls, so each ends after ${interactive.maxAttempts} sends; --background shows the preset that goes on.`,
  make: make(interactive),
}

/** The preset for calls that nobody waits for. */
export const sluiceBackground: Client = {
  id: 'background',
  name: '@sluice/fetch, background',
  manner: `the same for up to ${(background.throttleBudgetMs ?? 0) / 1000} s of waits`,
  ifLost: 'What waits longer than that belongs into a durable queue.',
  make: make(background),
}
