/** What is known of a body that is being sent: its bytes, once all of them have been seen. */
export interface KeptBody {
  bytes?: Uint8Array<ArrayBuffer>
}

/** Copies a `Request`'s body while it is sent, up to `most` bytes; beyond that it cannot be sent again (R13). */
export function keepBody(request: Request, most: number): KeptBody {
  const kept: KeptBody = {}
  if (most > 0)
    read(request.clone(), most).then(
      (bytes) => {
        if (bytes) kept.bytes = bytes
      },
      () => {}, // a body that cannot be read fails the attempt that sends it; here it means that nothing was kept
    )
  return kept
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
