import { requestLike } from '../request-source.js'

/**
 * What is sent once and never again (U4): a `keepalive` request, which may outlive the page and its timers, and an event
 * stream, which whoever reads it opens again by itself, with the id of the last event.
 */
export function sentOnce(input: string | URL | Request, init?: RequestInit | null): 'keepalive' | 'stream' | undefined {
  const request = requestLike(input)
  if (init?.keepalive ?? request?.keepalive) return 'keepalive'
  const headers = init?.headers ?? request?.headers
  if (!headers || 'next' in headers) return undefined // what can be read once is for the request to read
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(new Headers(headers).get('accept') ?? '') ? 'stream' : undefined
}
