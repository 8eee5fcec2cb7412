interface Platform {
  readonly process?: { readonly nextTick?: (run: () => void) => void }
  readonly setImmediate?: (run: () => void) => void
}

const done = Promise.resolve()

/**
 * Makes what lets `run` be called as soon as everything that is runnable has run. Promises have no way to tell; Node's ticks
 * come when no promise is left that could go on, but only those that were asked for by one. A whole turn of the event loop
 * takes longer: where many wait for a slot, a fifth to a third of all.
 */
export function whenSettled(run: () => void): () => void {
  const { process, setImmediate } = globalThis as Platform
  const { nextTick } = process ?? {}
  if (nextTick) {
    const tick = (): void => nextTick(run)
    return () => void done.then(tick)
  }
  if (setImmediate) return () => void setImmediate(run)
  return () => {
    const { port1, port2 } = new MessageChannel() // a browser
    port1.onmessage = () => {
      port1.close()
      run()
    }
    port2.postMessage(null)
  }
}
