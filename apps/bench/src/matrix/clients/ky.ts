import ky, { HTTPError, type Options } from 'ky'
import type { Call, Client } from '../client.js'
import { answerOf, initOf } from './fetch-call.js'

const through =
  (options: Options): Call =>
  async (ask) => {
    try {
      return await answerOf(await ky(ask.url, { ...initOf(ask), ...options }))
    } catch (error) {
      if (!(error instanceof HTTPError)) throw error
      return answerOf(error.response)
    }
  }

const README = 'https://github.com/sindresorhus/ky#retry'

export const client: Client = {
  about: {
    id: 'ky',
    name: 'ky',
    packages: ['ky'],
    docs: [README],
    notes: [
      'Its timeout of 10 s bounds an attempt, and as measured here no wait; the second configuration turns it off all the same, so that nothing but the server says how long it takes.',
    ],
    choices: [
      {
        probes: ['stated-post', 'unavailable-keyed'],
        finding: 'not-retried',
        says: 'Methods retried by default: GET, PUT, HEAD, DELETE, OPTIONS and TRACE.',
        source: README,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'ky(url)', call: through({}) },
    best: {
      setup: 'ky(url, { retry: { limit: 3, jitter: true }, timeout: false })',
      call: through({ retry: { limit: 3, jitter: true }, timeout: false }),
    },
  },
}
