import type { Writable } from 'node:stream'
import { codeOf } from '../arguments/read-text.js'
import { OutputError } from './output-error.js'
import { ReaderGoneError } from './reader-gone-error.js'

/** Where an answer is written to, a chunk at a time, no faster than it is taken. */
export interface Sink {
  write(chunk: Uint8Array | string): Promise<void>
}

/**
 * Makes a sink of a stream that may break.
 *
 * @param name for messages
 * @param signal ends a write that nobody takes
 * @returns a sink whose `write` rejects with ReaderGoneError, with OutputError, or with the signal's reason
 */
export function sinkOf(stream: Writable, name: string, signal: AbortSignal): Sink {
  stream.on('error', () => {}) // each write tells of its own; without a listener Node would end the process
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        stream.write(chunk, (error) => {
          signal.removeEventListener('abort', stop)
          if (!error) return resolve()
          const code = codeOf(error)
          const gone = /^(EPIPE|ECONNRESET|ERR_STREAM_DESTROYED|EOF)$/.test(code)
          reject(gone ? new ReaderGoneError() : new OutputError(name, code, error))
        })
      }),
  }
}
