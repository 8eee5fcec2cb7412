import type { Failure } from '@sluice/core'

/** The most of a failed response's body that is read: to classify it (R4), or so that its connection can be used again (R12). */
const MOST_BYTES = 16_384

/** The failure that a response is; undefined for a success. */
export const inspect = (response: Response): Failure | undefined =>
  response.status < 400 ? undefined : { kind: 'status', status: response.status, headers: response.headers }

/** The start of the body as text; the response can still be read from its beginning. */
export async function peek(response: Response): Promise<string> {
  const reader = response.clone().body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = MOST_BYTES
  try {
    while (reader && left > 0) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.byteLength
    }
  } catch {
    // What broke off is classified by what came.
  }
  reader?.cancel().catch(() => {})
  return text
}

/** Lets go of a body that nobody will read: a small one is drained, which keeps the connection; others are cancelled (R12). */
export async function release(response: Response): Promise<void> {
  try {
    let left = Number(response.headers.get('content-length')) > MOST_BYTES ? 0 : MOST_BYTES
    const reader = response.body?.getReader()
    while (reader && left > 0) {
      const { done, value } = await reader.read()
      if (done) return
      left -= value.byteLength
    }
    await reader?.cancel()
  } catch {
    // It broke off by itself, or the attempt was ended because it was too slow.
  }
}
