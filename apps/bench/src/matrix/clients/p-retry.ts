import pRetry, { AbortError, type Options } from 'p-retry'
import type { Call, Client } from '../client.js'
import { answerOf, initOf } from './fetch-call.js'
import { HttpFailure } from './http-failure.js'

const through =
  (options: Options, isFinal: (status: number) => boolean): Call =>
  async (ask) => {
    const run = async () => {
      const response = await fetch(ask.url, initOf(ask))
      if (response.ok) return answerOf(response)
      const failure = new HttpFailure(await answerOf(response))
      throw isFinal(response.status) ? new AbortError(failure) : failure
    }
    try {
      return await pRetry(run, { ...options, signal: ask.signal })
    } catch (error) {
      if (error instanceof HttpFailure) return error.answer
      throw error
    }
  }

const README = 'https://github.com/sindresorhus/p-retry#readme'

export const client: Client = {
  about: {
    id: 'p-retry',
    name: 'p-retry + fetch',
    packages: ['p-retry'],
    docs: [README],
    notes: [
      'It retries a function and knows nothing of HTTP. Around fetch as its documentation does it: a failed answer is thrown, a 404 as an AbortError; in the second configuration every other 4xx but 429 too.',
    ],
    choices: [
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        says: 'It retries whatever the function throws; what may be repeated is for its caller to say (`shouldRetry`).',
        source: README,
      },
      {
        probes: ['without-end'],
        finding: 'endless',
        in: 'defaults',
        says: 'Ten retries by default, each wait twice the one before: 17 minutes in all.',
        source: README,
      },
    ],
    notApplicable: [
      { probes: ['body', 'told'], why: 'What the caller learns of the answer is what the wrapped function throws.' },
    ],
  },
  configurations: {
    defaults: { setup: 'pRetry(run)', call: through({}, (status) => status === 404) },
    best: {
      setup: 'pRetry(run, { retries: 3, randomize: true })',
      call: through({ retries: 3, randomize: true }, (status) => status >= 400 && status < 500 && status !== 429),
    },
  },
}
