import type { Problem } from '@sluice/client'
import { retryAfterMs, userMessage } from '@sluice/fetch/page'

/** What a question came to. */
export type Answer<T> =
  | { readonly kind: 'data'; readonly data: T; readonly headers: Headers }
  /** `message` is one sentence for a person (S3), `detail` what the gateway adds to it. */
  | {
      readonly kind: 'failed'
      readonly message: string
      readonly detail: string | null
      readonly status: number | null
      /** The wait that the gateway stated; null: it stated none. */
      readonly retryAfterMs: number | null
    }
  /** Nobody waits for it any more: superseded, or the page was left. */
  | { readonly kind: 'aborted' }

/** Asks for JSON, or for nothing but that it was done (204). Never rejects. */
export async function ask<T>(send: () => Promise<Response>): Promise<Answer<T>> {
  try {
    const response = await send()
    // The gateway's own words, held to its contract by its tests.
    const { status, headers } = response
    if (response.ok) return { kind: 'data', data: (status === 204 ? null : await response.json()) as T, headers }
    const message = userMessage(response)
    if (message === null) return { kind: 'aborted' }
    return { kind: 'failed', message, detail: await detailOf(response), status, retryAfterMs: retryAfterMs(response) }
  } catch (error) {
    const message = userMessage(error)
    if (message === null) return { kind: 'aborted' }
    return { kind: 'failed', message, detail: null, status: null, retryAfterMs: retryAfterMs(error) }
  }
}

async function detailOf(response: Response): Promise<string | null> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return null
  const { detail } = (await response.json()) as Problem // as above
  return detail
}
