import type { Answer, Ask } from '../client.js'

/** What every client that takes fetch's arguments is given. */
export function initOf({ method, headers, body, signal }: Ask): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    signal,
    ...(body === undefined ? {} : { body }),
  }
}

/** Of a Response whose body has not been read. */
export async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() }
}
