import { createFetch, execute, interactive, retryPolicy } from '@sluice/fetch'
import ky from 'ky'
import { createFetch as ofetchOver } from 'ofetch'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const policy = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)
const fetch = createFetch({ policy })

// R14, through errors that are not ours: what marks the response is found from what the library threw.
test.each<[string, (url: string) => Promise<unknown>]>([
  ['ky', (url) => ky.create({ fetch, retry: 0 })(url).json()],
  ['ofetch', (url) => ofetchOver({ fetch, defaults: { retry: false } })(url)],
  [
    'OpenAI',
    (baseURL) =>
      new OpenAI({ baseURL, apiKey: 'sk-test', fetch, maxRetries: 0 }).models.list().then((page) => page.data),
  ],
])('execute() around %s over our fetch sends 4 times, not 16', async (_, call) => {
  const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after-ms': '1' }))
  await expect(execute(() => call(url), { policy, idempotent: true })).rejects.toThrow()
  expect(received.length).toBe(4)
})
