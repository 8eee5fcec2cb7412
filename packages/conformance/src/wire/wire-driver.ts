import { inProcess } from '../driver/in-process.js'
import type { Driver, DriverSession } from '../driver/protocol.js'
import { type DriverProcess, startDriver } from '../driver/session.js'

/** A driver as a child process, for wire mode: calls last as long as they last, and runWire bounds them one by one. */
export function wireProcess(options: DriverProcess): () => Promise<DriverSession> {
  return () => startDriver({ ...options, timeoutMs: Number.POSITIVE_INFINITY })
}

/** A driver of this process, for wire mode. */
export function wireInProcess(driver: Driver): () => Promise<DriverSession> {
  return async () => inProcess(driver)
}
