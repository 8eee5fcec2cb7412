import axios, { isAxiosError } from 'axios'
import axiosRetry, { type IAxiosRetryConfig } from 'axios-retry'
import type { Answer, Call, Client } from '../client.js'

const text = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data))

const through =
  (options: IAxiosRetryConfig): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    const client = axios.create()
    axiosRetry(client, options)
    try {
      const answer = await client.request<unknown>({
        url,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        signal,
        ...(body === undefined ? {} : { data: body }),
      })
      return { status: answer.status, retryAfter: answer.headers['retry-after'] ?? null, body: text(answer.data) }
    } catch (error) {
      if (!isAxiosError<unknown>(error) || !error.response) throw error
      const { status, headers: received, data } = error.response
      return { status, retryAfter: received['retry-after'] ?? null, body: text(data) }
    }
  }

const README = 'https://github.com/softonic/axios-retry#options'

export const client: Client = {
  about: {
    id: 'axios-retry',
    name: 'axios-retry',
    packages: ['axios-retry', 'axios'],
    docs: [README],
    notes: [],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        says: 'The default condition retries network errors, and 5xx on GET, HEAD, OPTIONS, PUT and DELETE.',
        source: README,
      },
      {
        probes: ['reset-post'],
        finding: 'repeated',
        says: 'The default condition retries a network error whatever the method.',
        source: README,
      },
      {
        probes: ['unstated'],
        finding: 'hot',
        in: 'defaults',
        says: 'By default there is no delay between retries.',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'axiosRetry(axios)', call: through({}) },
    best: {
      setup: 'axiosRetry(axios, { retries: 3, retryDelay: axiosRetry.exponentialDelay })',
      call: through({ retries: 3, retryDelay: axiosRetry.exponentialDelay }),
    },
  },
}
