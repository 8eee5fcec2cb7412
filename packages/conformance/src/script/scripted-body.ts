import type { ReplayClock } from '../clock.js'

/** A response body that knows whether it was let go: read to the end, cancelled, or errored by an abort (R12). */
export interface ScriptedBody {
  stream: ReadableStream<Uint8Array>
  released(): boolean
}

/** Bytes that arrive some time after the headers. */
export interface LateBody {
  clock: Pick<ReplayClock, 'timer'>
  ms: number
}

/**
 * @param signal errors the body when it aborts, as a real fetch does after the headers have arrived.
 * @param late when its bytes arrive; absent: with the headers.
 */
export function scriptedBody(text: string, signal: AbortSignal | null, late?: LateBody): ScriptedBody {
  const chunks = text === '' ? [] : [new TextEncoder().encode(text)]
  let released = false
  let onAbort = (): void => undefined
  let cancelArrival = (): void => undefined
  const arrived =
    late &&
    new Promise<void>((resolve) => {
      cancelArrival = late.clock.timer(late.ms, resolve)
    })
  const release = (): void => {
    released = true
    cancelArrival()
    signal?.removeEventListener('abort', onAbort)
  }
  const give = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (released) return // it was aborted just before its bytes came
    const chunk = chunks.shift()
    if (chunk !== undefined) controller.enqueue(chunk)
    else {
      release()
      controller.close()
    }
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
      pull: (controller) => (arrived ? arrived.then(() => give(controller)) : give(controller)),
      cancel: release,
    },
    // Nothing is read ahead: a body counts as read only where somebody read it.
    { highWaterMark: 0 },
  )
  return { stream, released: () => released }
}
