import { ExponentialBackoff, handleAll, type RetryPolicy, retry } from 'cockatiel'
import type { Call, Client } from '../client.js'
import { answerOf, initOf } from './fetch-call.js'

const through =
  (policy: () => RetryPolicy): Call =>
  async (ask) =>
    answerOf(await policy().execute(({ signal }) => fetch(ask.url, { ...initOf(ask), signal }), ask.signal))

/** Statuses of a Response, whatever else the function may return. */
const isTransient = (result: unknown): boolean =>
  result instanceof Response && [429, 502, 503, 504].includes(result.status)

const README = 'https://github.com/connor4312/cockatiel#readme'

export const client: Client = {
  about: {
    id: 'cockatiel',
    name: 'cockatiel + fetch',
    packages: ['cockatiel'],
    docs: [README],
    notes: [
      'It retries a function and knows nothing of HTTP, and has no default policy: the first configuration is the first example of its documentation, around fetch, which throws for no status. The second handles results as well.',
      'A `DelegateBackoff` could read Retry-After from the response; its documentation shows none, so none is used here.',
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
        says: '`handleAll` handles what is thrown; results are handled where a policy says so (`orWhenResult`).',
        source: README,
      },
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        says: 'It retries whatever the policy handles; what may be repeated is for its caller to say.',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: {
      setup: 'retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })',
      call: through(() => retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })),
    },
    best: {
      setup: 'retry(handleAll.orWhenResult(isTransient), { maxAttempts: 3, backoff: new ExponentialBackoff() })',
      call: through(() =>
        retry(handleAll.orWhenResult(isTransient), { maxAttempts: 3, backoff: new ExponentialBackoff() }),
      ),
    },
  },
}
