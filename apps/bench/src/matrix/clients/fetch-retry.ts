import fetchRetry from 'fetch-retry'
import type { Call, Client } from '../client.js'
import { answerOf, initOf } from './fetch-call.js'

const plain = fetchRetry(fetch)
const configured = fetchRetry(fetch, {
  retries: 3,
  retryOn: [429, 502, 503, 504],
  retryDelay: (attempt) => 2 ** attempt * 1000,
})

const through =
  (retrying: typeof plain): Call =>
  async (ask) =>
    answerOf(await retrying(ask.url, initOf(ask)))

const README = 'https://github.com/jonbern/fetch-retry#readme'

export const client: Client = {
  about: {
    id: 'fetch-retry',
    name: 'fetch-retry',
    packages: ['fetch-retry'],
    docs: [README],
    notes: [
      '`retryDelay` may be a function that reads Retry-After from the response; its documentation shows none, so none is used here.',
    ],
    choices: [
      {
        probes: [
          'stated-get',
          'stated-post',
          'zero',
          'unstated',
          'unavailable-get',
          'unavailable-stated',
          'unavailable-keyed',
        ],
        finding: 'not-retried',
        in: 'defaults',
        says: 'By default it retries network errors only.',
        source: README,
      },
      {
        probes: ['reset-post'],
        finding: 'repeated',
        says: 'By default it retries network errors, whatever the method.',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'fetchRetry(fetch)', call: through(plain) },
    best: {
      setup:
        'fetchRetry(fetch, { retries: 3, retryOn: [429, 502, 503, 504], retryDelay: (attempt) => 2 ** attempt * 1000 })',
      call: through(configured),
    },
  },
}
