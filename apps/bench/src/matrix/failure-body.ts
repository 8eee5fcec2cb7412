import type { About } from './client.js'

/**
 * A body as the client's own service would send it, with the marker in its message: some clients look into it before
 * they retry, and should find there what they were written for.
 */
export function failureBody(
  dialect: About['dialect'],
  status: number,
  headers: Record<string, unknown>,
  marker: string,
): string {
  if (status < 400) return JSON.stringify({ id: marker })
  switch (dialect) {
    case 'openai':
      return JSON.stringify({
        error: { message: marker, type: 'requests', code: status === 429 ? 'rate_limit_exceeded' : null },
      })
    case 'stripe':
      return JSON.stringify({ error: { message: marker, type: status === 429 ? 'rate_limit_error' : 'api_error' } })
    case 'github': {
      // A primary limit sends its reset, a secondary one Retry-After; the message tells them apart.
      const primary = 'x-ratelimit-remaining' in headers
      const said = primary ? 'API rate limit exceeded' : 'You have exceeded a secondary rate limit'
      return JSON.stringify({ message: status === 429 ? `${said}. ${marker}` : marker })
    }
    default:
      return JSON.stringify({ message: marker })
  }
}
