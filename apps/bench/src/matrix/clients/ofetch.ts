import { FetchError, type FetchOptions, ofetch } from 'ofetch'
import type { Answer, Call, Client } from '../client.js'
import { initOf } from './fetch-call.js'

const through =
  (options: FetchOptions<'json'>): Call =>
  async (ask): Promise<Answer> => {
    const { method, headers, signal, body } = initOf(ask)
    try {
      // initOf() gives a record of headers, a string body and a signal; FetchOptions is narrower than RequestInit.
      const asked = {
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
        ...options,
      } as FetchOptions<'json'>
      const answer = await ofetch.raw<unknown>(ask.url, asked)
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body: JSON.stringify(answer._data),
      }
    } catch (error) {
      if (!(error instanceof FetchError) || !error.response) throw error
      return {
        status: error.response.status,
        retryAfter: error.response.headers.get('retry-after'),
        body: JSON.stringify(error.data),
      }
    }
  }

const README = 'https://github.com/unjs/ofetch#%EF%B8%8F-auto-retry'

export const client: Client = {
  about: {
    id: 'ofetch',
    name: 'ofetch',
    packages: ['ofetch'],
    docs: [README],
    notes: [],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        in: 'defaults',
        says: 'POST, PUT, PATCH and DELETE are not retried by default, to avoid side effects.',
        source: README,
      },
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        in: 'best',
        says: 'Where `retry` is set, all requests are retried.',
        source: README,
      },
      { probes: ['unstated'], finding: 'hot', in: 'defaults', says: 'The default delay is 0 ms.', source: README },
    ],
  },
  configurations: {
    defaults: { setup: 'ofetch(url)', call: through({}) },
    best: { setup: 'ofetch(url, { retry: 3, retryDelay: 500 })', call: through({ retry: 3, retryDelay: 500 }) },
  },
}
