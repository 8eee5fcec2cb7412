/** What is known of a body that is being sent: its bytes, once all of them have been seen. */
export interface KeptBody {
  bytes?: Uint8Array<ArrayBuffer>
}

/** Copies a `Request`'s body while it is sent, up to `most` bytes; beyond that it cannot be sent again (R13). */
export function keepBody(request: Request, most: number): KeptBody {
  const kept: KeptBody = {}
  if (most === 0) return kept
  const { body } = request.clone()
  // A body that cannot be read fails the attempt that sends it; here it only means that nothing was kept.
  if (body) read(body, most, kept).catch(() => {})
  return kept
}

async function read(body: ReadableStream<Uint8Array>, most: number, kept: KeptBody): Promise<void> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > most) return reader.cancel()
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  kept.bytes = bytes
}
