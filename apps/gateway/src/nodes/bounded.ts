import { QueryTimeoutError } from './query-timeout-error.js'

/** Until when an answer is waited for. */
export interface Bounds {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * The answer, unless it takes too long or nobody waits for it any more: then what gives it is told to stop.
 * @throws QueryTimeoutError; the signal's reason; what the answer rejects with
 */
export function bounded<T>(answer: Promise<T>, cancel: () => void, { timeoutMs, signal }: Bounds): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (reason: unknown) => {
      cancel()
      reject(reason)
    }
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => stop(new QueryTimeoutError(timeoutMs)), timeoutMs)
    const onAbort = () => stop(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
    if (signal?.aborted) onAbort()
  })
}
