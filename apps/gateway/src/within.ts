/**
 * Work that is told to stop when it takes too long, by its signal: it ends as soon as it heeds that. Not by
 * `AbortSignal.timeout`, which holds its memory until it fires.
 *
 * @param reason what the signal is aborted with then
 * @param until is aborted: the work is told to stop, with that signal's reason
 * @returns what the work makes of it
 */
export async function within<T>(
  ms: number,
  reason: Error,
  work: (signal: AbortSignal) => Promise<T>,
  until?: AbortSignal,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(reason), ms)
  const onAbort = () => late.abort(until?.reason)
  until?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(late.signal)
  } finally {
    clearTimeout(timer)
    until?.removeEventListener('abort', onAbort)
  }
}
