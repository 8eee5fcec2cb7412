/** Who waits for which signal. One listener a signal serves them all: Node warns from the eleventh listener on. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `heard` when `signal` aborts. Many calls that share one signal add one listener to it.
 * @returns a function that takes it back; with the last one the listener goes too
 */
export function onAbort(signal: AbortSignal, heard: () => void): () => void {
  const callbacks = waiting.get(signal) ?? new Set()
  waiting.set(signal, callbacks)
  const entry = (): void => heard()
  if (callbacks.size === 0) signal.addEventListener('abort', tell)
  callbacks.add(entry)
  return () => {
    callbacks.delete(entry)
    if (callbacks.size === 0) signal.removeEventListener('abort', tell)
  }
}

function tell(this: AbortSignal): void {
  const all = waiting.get(this) ?? new Set()
  for (const entry of [...all]) if (all.has(entry)) entry() // one may take another back
}
