import type { Answer } from '../client.js'

/** For retriers that know nothing of HTTP and go by what is thrown: a failed answer as an error. */
export class HttpFailure extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`HTTP ${answer.status}`)
    this.name = 'HttpFailure'
    this.answer = answer
  }
}
