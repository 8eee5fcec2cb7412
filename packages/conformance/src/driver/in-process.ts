import { describeError } from '../run/play.js'
import type { Driver, DriverSession } from './protocol.js'

/** A driver of this process, without stdin and stdout between it and the runner. */
export function inProcess(driver: Driver): DriverSession {
  const controller = new AbortController()
  return {
    hello: driver.hello,
    async run(run) {
      try {
        return await driver.run(run, controller.signal)
      } catch (error) {
        return { error: describeError(error) }
      }
    },
    async close() {},
    async kill() {
      controller.abort(new Error('the driver was ended'))
    },
  }
}
