import got, { HTTPError, type RetryOptions } from 'got'
import type { Answer, Call, Client } from '../client.js'

const through =
  (options: { retry?: Partial<RetryOptions> }): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    try {
      const answer = await got(url, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        signal,
        ...options,
        ...(body === undefined ? {} : { body }),
        responseType: 'text',
        resolveBodyOnly: false,
      })
      return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] ?? null, body: answer.body }
    } catch (error) {
      if (!(error instanceof HTTPError)) throw error
      const { statusCode, headers: received, body: text } = error.response
      return {
        status: statusCode,
        retryAfter: received['retry-after'] ?? null,
        body: typeof text === 'string' ? text : null,
      }
    }
  }

const RETRY = 'https://github.com/sindresorhus/got/blob/main/documentation/7-retry.md'

export const client: Client = {
  about: {
    id: 'got',
    name: 'got',
    packages: ['got'],
    docs: [RETRY],
    notes: ['Without a request timeout a stated wait has no bound; with one it is given up where it is longer.'],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        says: 'By default it does not retry on POST.',
        source: `${RETRY}#methods`,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'got(url)', call: through({}) },
    best: { setup: 'got(url, { retry: { limit: 3 } })', call: through({ retry: { limit: 3 } }) },
  },
}
