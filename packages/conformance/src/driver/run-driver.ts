import type { SuiteReport } from '../report/report.js'
import type { DriverHello } from './protocol.js'
import { runSession, type SessionOptions } from './run-session.js'
import { type DriverProcess, startDriver } from './session.js'

export interface RunDriverOptions extends DriverProcess, SessionOptions {}

export interface DriverResult {
  driver: DriverHello
  suites: readonly SuiteReport[]
}

/**
 * Starts a driver, asks it every case of some tables, says bye, and sees it end. When this settles, the process has
 * ended, and all that it started has been killed.
 *
 * @throws DriverError where the driver crashed, hung, or broke the protocol; it names the case and what was seen.
 */
export async function runDriver(options: RunDriverOptions): Promise<DriverResult> {
  const session = await startDriver(options)
  try {
    const suites = await runSession(session, options)
    await session.close()
    return { driver: session.hello, suites }
  } finally {
    await session.kill()
  }
}
