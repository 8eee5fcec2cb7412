/** A response body that knows whether it was let go: read to the end, cancelled, or errored by an abort (R12). */
export interface ScriptedBody {
  stream: ReadableStream<Uint8Array>
  released(): boolean
}

/** @param signal errors the body when it aborts, as a real fetch does after the headers have arrived. */
export function scriptedBody(text: string, signal: AbortSignal | null): ScriptedBody {
  const chunks = text === '' ? [] : [new TextEncoder().encode(text)]
  let released = false
  let onAbort = (): void => undefined
  const release = (): void => {
    released = true
    signal?.removeEventListener('abort', onAbort)
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          release()
          controller.error(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort)
      },
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk !== undefined) return controller.enqueue(chunk)
        release()
        controller.close()
      },
      cancel: release,
    },
    // Nothing is read ahead: a body counts as read only where somebody read it.
    { highWaterMark: 0 },
  )
  return { stream, released: () => released }
}
