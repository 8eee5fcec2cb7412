import { Agent, errors, RetryAgent, type RetryHandler } from 'undici'
import type { Answer, Call, Client } from '../client.js'

const through =
  (options: RetryHandler.RetryOptions): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    const { origin, pathname } = new URL(url)
    const agent = new RetryAgent(new Agent(), options)
    try {
      const answer = await agent.request({
        origin,
        path: pathname,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        signal,
        ...(body === undefined ? {} : { body }),
      })
      const stated = answer.headers['retry-after']
      return {
        status: answer.statusCode,
        retryAfter: typeof stated === 'string' ? stated : null,
        body: await answer.body.text(),
      }
    } catch (error) {
      if (!(error instanceof errors.RequestRetryError)) throw error
      const stated: unknown = Object(error.headers)['retry-after']
      return { status: error.statusCode, retryAfter: typeof stated === 'string' ? stated : null, body: null }
    }
  }

const AGENT = 'https://github.com/nodejs/undici/blob/v7.16.0/docs/docs/api/RetryAgent.md'

export const client: Client = {
  about: {
    id: 'undici',
    name: 'undici RetryAgent',
    packages: ['undici'],
    docs: [AGENT, 'https://github.com/nodejs/undici/blob/v7.16.0/docs/docs/api/RetryHandler.md'],
    notes: [
      'The second configuration lifts the bound on a wait (`maxTimeout`, 30 s), so that a longer stated wait is not cut short, and turns `throwOnError` off, which keeps the body of the last failure.',
    ],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        says: 'Methods retried by default: GET, PUT, HEAD, OPTIONS and DELETE.',
        source: AGENT,
      },
      {
        probes: ['an-hour', 'a-thousand-days', 'twenty-digits'],
        finding: 'early',
        in: 'defaults',
        says: '`maxTimeout`, 30 s, is the longest wait before a retry; a longer stated wait is cut to it.',
        source: AGENT,
      },
      {
        probes: ['body'],
        finding: 'hidden',
        in: 'defaults',
        says: 'For the body of the last failure `throwOnError` is to be turned off.',
        source: AGENT,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'new RetryAgent(new Agent())', call: through({}) },
    best: {
      setup: 'new RetryAgent(new Agent(), { maxRetries: 3, maxTimeout: 2 ** 31 - 1, throwOnError: false })',
      call: through({ maxRetries: 3, maxTimeout: 2 ** 31 - 1, throwOnError: false }),
    },
  },
}
