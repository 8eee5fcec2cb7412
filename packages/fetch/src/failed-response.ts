import type { Clock, Failure } from '@sluice/core'

/** The most of a failed response's body that is read: to classify it (R4), or so that its connection can be used again (R12). */
const MOST_BYTES = 16_384
/** The longest that reading it to classify it may take. */
const PEEK_MS = 5000
/** The longest that draining it may take: then a new connection is cheaper than the old one. */
const DRAIN_MS = 100

/** The failure that a response is; undefined for a success. */
export const inspect = (response: Response): Failure | undefined =>
  response.status < 400 ? undefined : { kind: 'status', status: response.status, headers: response.headers }

/** Reads the start of a body, within bounds of size and time. What comes after is cancelled; what breaks off, ends. */
async function readStart(
  body: ReadableStream<Uint8Array> | null,
  ms: number,
  clock: Clock,
  take?: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = body?.getReader()
  if (!reader) return
  const cancel = (): Promise<void> => reader.cancel().catch(() => {})
  const cancelTimer = clock.timer(ms, cancel)
  try {
    for (let left = MOST_BYTES; left > 0; ) {
      const { done, value } = await reader.read()
      if (done) return
      take?.(value.subarray(0, left))
      left -= value.byteLength
    }
    cancel()
  } catch {
    // The connection broke off, or was ended with the attempt.
  } finally {
    cancelTimer()
  }
}

/** The start of the body as text; the response can still be read from its beginning. */
export async function peek(response: Response, clock: Clock): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  await readStart(response.clone().body, PEEK_MS, clock, (chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  return text
}

/** Lets go of a body that nobody will read: a small one is drained, which keeps the connection; others are cancelled (R12). */
export async function release(response: Response, clock: Clock): Promise<void> {
  if (Number(response.headers.get('content-length')) > MOST_BYTES) await response.body?.cancel()
  else await readStart(response.body, DRAIN_MS, clock)
}
