/** Resolves when everything that is runnable has run: promises have no way to tell, so one turn of the event loop passes. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    // Node's, and many times faster than a channel; browsers do not have it.
    const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void }
    if (setImmediate) return void setImmediate(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
