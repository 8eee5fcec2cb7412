import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import type { Answer, Ask, Call, Client } from '../client.js'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

interface RequestFailure {
  status: number
  response: { headers: Record<string, string | undefined>; data: unknown }
}

const isRequestFailure = (error: unknown): error is RequestFailure =>
  typeof error === 'object' && error !== null && 'status' in error && 'response' in error && Boolean(error.response)

async function request(octokit: Octokit, { url, method, headers, body, signal }: Ask): Promise<Answer> {
  const { origin, pathname } = new URL(url)
  try {
    const asked = body === undefined ? {} : JSON.parse(body)
    const answer = await octokit.request(`${method} ${pathname}`, {
      baseUrl: origin,
      headers,
      request: { signal },
      ...asked,
    })
    return { status: answer.status, retryAfter: null, body: JSON.stringify(answer.data) }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const { headers: received, data } = error.response
    return { status: error.status, retryAfter: received['retry-after'] ?? null, body: JSON.stringify(data) }
  }
}

const Retrying = Octokit.plugin(retry)
const Throttling = Octokit.plugin(retry, throttling)

const defaults: Call = (ask) => request(new Retrying({ log: quiet }), ask)

// The scheduler's id keeps the queues of the probes apart, which the plugin otherwise shares in a process.
const best: Call = (ask) => {
  const again = (_after: number, _options: unknown, _octokit: unknown, retryCount: number): boolean => retryCount < 3
  return request(
    new Throttling({
      retry: { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
      log: quiet,
      throttle: { id: ask.id, onRateLimit: again, onSecondaryRateLimit: again },
    }),
    ask,
  )
}

const RETRY = 'https://github.com/octokit/plugin-retry.js#readme'
const THROTTLING = 'https://github.com/octokit/plugin-throttling.js#readme'

export const client: Client = {
  about: {
    id: 'octokit',
    name: 'octokit',
    packages: ['@octokit/core', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
    docs: [RETRY, THROTTLING],
    dialect: 'github',
    notes: [
      'The core alone does not retry. First configuration: with plugin-retry; second: plugin-throttling as well, with handlers that ask for three retries.',
      'In the second configuration 429 is on the list of what plugin-retry leaves alone (`doNotRetry`), so that plugin-throttling has it; without that plugin-retry comes back after a second.',
      'A 429 carries the message of a secondary rate limit, where plugin-throttling looks for Retry-After; the row about X-RateLimit-Reset carries that of a primary one.',
    ],
    choices: [
      {
        probes: ['unavailable-post'],
        finding: 'repeated',
        says: 'plugin-retry retries every 4xx and 5xx that is not on its list, whatever the method.',
        source: RETRY,
      },
      {
        probes: ['without-end'],
        finding: 'endless',
        in: 'best',
        says: 'It takes a stated 0 for none and waits a minute before each of the three retries (`fallbackSecondaryRateRetryAfter`): it ends, but later than is watched here.',
        source: THROTTLING,
      },
      {
        probes: ['unstated', 'soon', 'negative', 'empty'],
        finding: 'waits',
        in: 'best',
        says: 'Where a secondary rate limit states no wait, the plugin waits a minute (`fallbackSecondaryRateRetryAfter`), as GitHub asks.',
        source: THROTTLING,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'new (Octokit.plugin(retry))()', call: defaults },
    best: {
      setup:
        'new (Octokit.plugin(retry, throttling))({ retry: { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] }, throttle: { onRateLimit: again, onSecondaryRateLimit: again } }), again = (…, retryCount) => retryCount < 3',
      call: best,
    },
  },
}
