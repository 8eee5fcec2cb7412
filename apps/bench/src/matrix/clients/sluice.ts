import { createFetch, type SluiceFetch } from '@sluice/fetch'
import type { Call, Client } from '../client.js'
import { answerOf, initOf } from './fetch-call.js'

const through =
  (fetch: () => SluiceFetch): Call =>
  async (ask) =>
    answerOf(await fetch()(ask.url, initOf(ask)))

export const client: Client = {
  about: {
    id: 'sluice',
    name: '@sluice/fetch',
    packages: ['@sluice/fetch', '@sluice/core'],
    docs: ['https://www.npmjs.com/package/@sluice/fetch'],
    notes: [
      'The rows are the rules of this repository, so a ✗ here is a defect of the package, and a ✗ elsewhere a difference from these rules.',
      'Its default is 4 attempts; the second configuration lets it make an Idempotency-Key for POST and PATCH.',
    ],
    choices: [],
  },
  configurations: {
    defaults: { setup: 'createFetch()', call: through(() => createFetch()) },
    best: {
      setup: 'createFetch({ idempotencyKey: true })',
      call: through(() => createFetch({ idempotencyKey: true })),
    },
  },
}
