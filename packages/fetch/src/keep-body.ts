import type { Clock } from '@sluice/core'
import { onAbort } from '@sluice/core/adapter'

/**
 * The longest that a failure is held up until its body is known. Bytes and files are read well within it, in a browser
 * that is busy too, where they come in later than a quick answer; what takes longer is a stream that is still written to.
 */
const LONGEST_MS = 1000

/** What is known of a body that is being sent. */
export interface KeptBody {
  /** Its bytes, once all of them have been seen. */
  bytes?: Uint8Array<ArrayBuffer> | undefined
  /** Fulfils when it has been read; undefined once it has. */
  reading?: Promise<void> | undefined
}

/** Copies a `Request`'s body while it is sent, up to `most` bytes; beyond that it cannot be sent again (R13). */
export function keepBody(request: Request, most: number): KeptBody {
  const kept: KeptBody = {}
  const over = (bytes?: Uint8Array<ArrayBuffer>): void => {
    kept.bytes = bytes
    kept.reading = undefined
  }
  // A body that cannot be read fails the attempt that sends it; here it means that nothing was kept.
  if (most > 0) kept.reading = read(request.clone(), most).then(over, () => over())
  return kept
}

/** Waits until a body has been read, for {@link LONGEST_MS} at most, and not past an abort. */
export function untilRead({ reading }: KeptBody, clock: Clock, signal?: AbortSignal | null): Promise<void> | undefined {
  if (!reading || signal?.aborted) return undefined
  return new Promise((resolve) => {
    const go = (): void => {
      cancelTimer()
      forget?.()
      resolve()
    }
    const cancelTimer = clock.timer(LONGEST_MS, go)
    const forget = signal && onAbort(signal, go)
    void reading.then(go)
  })
}

async function read(copy: Request, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!('body' in copy)) {
    const bytes = new Uint8Array(await (copy as Request).arrayBuffer()) // Firefox, which has no streams here
    return bytes.byteLength > most ? undefined : bytes
  }
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = copy.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    size += value.byteLength
    if (size > most) {
      reader?.cancel().catch(() => {})
      return
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
