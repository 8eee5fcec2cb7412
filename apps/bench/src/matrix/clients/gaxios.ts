import { Gaxios, GaxiosError, type RetryConfig } from 'gaxios'
import type { Answer, Call, Client } from '../client.js'

const through =
  (retryConfig?: RetryConfig): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    try {
      const answer = await new Gaxios().request<unknown>({
        url,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        signal,
        retry: true,
        ...(retryConfig ? { retryConfig } : {}),
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: JSON.stringify(answer.data) }
    } catch (error) {
      if (!(error instanceof GaxiosError) || !error.response) throw error
      const { status, headers: received, data } = error.response
      return { status, retryAfter: received.get('retry-after'), body: JSON.stringify(data) }
    }
  }

const README = 'https://github.com/googleapis/google-cloud-node/tree/main/core/packages/gaxios#readme'

export const client: Client = {
  about: {
    id: 'gaxios',
    name: 'gaxios',
    packages: ['gaxios'],
    docs: [README],
    notes: [
      'It retries only where asked to: the first configuration is `retry: true`, "default configuration for retries".',
    ],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        says: 'Methods retried by default: GET, PUT, HEAD, OPTIONS and DELETE (`httpMethodsToRetry`).',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'new Gaxios().request({ retry: true })', call: through() },
    best: {
      setup: 'new Gaxios().request({ retry: true, retryConfig: { retry: 3, noResponseRetries: 3 } })',
      call: through({ retry: 3, noResponseRetries: 3 }),
    },
  },
}
