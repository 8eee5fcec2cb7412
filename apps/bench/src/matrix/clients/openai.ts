import OpenAI from 'openai'
import type { Answer, Call, Client } from '../client.js'
import { answerOf } from './fetch-call.js'

const through =
  (options: { maxRetries?: number }): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    const { origin, pathname } = new URL(url)
    const client = new OpenAI({ apiKey: 'sk-none', baseURL: origin, ...options })
    const asked = { headers, signal, ...(body === undefined ? {} : { body: JSON.parse(body) }) }
    try {
      return await answerOf(
        await (method === 'GET' ? client.get(pathname, asked) : client.post(pathname, asked)).asResponse(),
      )
    } catch (error) {
      if (!(error instanceof OpenAI.APIError) || error.status === undefined) throw error
      return {
        status: error.status,
        retryAfter: error.headers?.get('retry-after') ?? null,
        body: JSON.stringify(error.error ?? null),
      }
    }
  }

const README = 'https://github.com/openai/openai-node/blob/master/README.md#retries'

export const client: Client = {
  about: {
    id: 'openai',
    name: 'openai',
    packages: ['openai'],
    docs: [README],
    dialect: 'openai',
    notes: [
      'Called by its methods for undocumented endpoints, `client.get()` and `client.post()`; failures carry bodies of the form that OpenAI sends.',
    ],
    choices: [
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        says: 'Connection errors, 408, 409, 429 and every status from 500 on are retried by default; nearly all calls of this API are POSTs.',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'new OpenAI()', call: through({}) },
    best: { setup: 'new OpenAI({ maxRetries: 3 })', call: through({ maxRetries: 3 }) },
  },
}
