import { createReadStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { codeOf } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'

/**
 * Opens the body of a request. What can be read again is handed over in a form that fetch sends again (R13).
 *
 * @param data text, `@file`, or `-` for stdin; undefined: no body
 * @param mostBytes how much of a pipe is kept, so that it can be sent again if it is no longer than that
 * @param option what messages call it
 * @returns bytes; a Blob that reads its file anew for each attempt; or a stream, which is sent once
 * @throws UsageError that names the file
 */
export async function readBody(
  data: string | undefined,
  stdin: Readable,
  mostBytes: number,
  signal: AbortSignal,
  option = '--data',
): Promise<BodyInit | null> {
  if (data === undefined) return null
  if (data === '-') return pipe(stdin, mostBytes, signal)
  if (!data.startsWith('@')) return new TextEncoder().encode(data) // as text, fetch would add a Content-Type
  const path = data.slice(1)
  try {
    const found = await stat(path)
    if (found.isFile()) return (await openAsBlob(path)) as Blob // Node's type for the same class
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${codeOf(error)})`)
  }
  const stream = createReadStream(path) // a pipe such as <(…)
  return pipe(stream, mostBytes, signal)
}

async function pipe(stream: Readable, mostBytes: number, signal: AbortSignal): Promise<BodyInit> {
  const stop = (): void => void stream.destroy(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', stop)
  const unlink = (): void => signal.removeEventListener('abort', stop)
  const chunks: AsyncIterator<Buffer | string> = stream[Symbol.asyncIterator]()
  const kept: Uint8Array<ArrayBuffer>[] = []
  const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const { done, value } = await chunks.next()
    return done ? undefined : new Uint8Array(Buffer.from(value))
  }
  let size = 0
  while (size <= mostBytes) {
    const chunk = await next()
    if (!chunk) {
      unlink()
      return new Uint8Array(Buffer.concat(kept))
    }
    kept.push(chunk)
    size += chunk.byteLength
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = kept.shift() ?? (await next())
        if (chunk) return controller.enqueue(chunk)
        unlink()
        controller.close()
      },
      async cancel() {
        unlink()
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 }, // reads no faster than it is sent
  )
}
