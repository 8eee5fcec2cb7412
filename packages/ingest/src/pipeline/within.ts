import type { Clock } from '@sluice/core'

/** It was waited for long enough. */
export class TookTooLongError extends Error {
  override readonly name = 'TookTooLongError'

  constructor(readonly ms: number) {
    super(`no answer within ${ms} ms`)
  }
}

/**
 * What an act fulfils with, unless it takes too long: then its signal is aborted, and what still comes of it is not heard.
 * @throws TookTooLongError; what the act rejects with
 */
export function within<T>(clock: Clock, ms: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const stop = clock.timer(ms, () => {
      const error = new TookTooLongError(ms)
      reject(error)
      late.abort(error)
    })
    Promise.resolve()
      .then(() => act(late.signal))
      .then(resolve, reject)
      .finally(stop)
  })
}
