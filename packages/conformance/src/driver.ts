export { OMITTABLE } from './driver/check-message.js'
export { DriverError } from './driver/driver-error.js'
export { type DriverOfOptions, driverOf, type WireMeans } from './driver/driver-of.js'
export { inProcess } from './driver/in-process.js'
export {
  type Driver,
  type DriverActual,
  type DriverAnswer,
  type DriverHello,
  type DriverRun,
  type DriverSession,
  type DriverSuite,
  PROTOCOL,
} from './driver/protocol.js'
export { type DriverResult, type RunDriverOptions, runDriver } from './driver/run-driver.js'
export { runOf, runSession, type SessionOptions } from './driver/run-session.js'
export { type ServeOptions, serveDriver } from './driver/serve-driver.js'
export { type DriverProcess, startDriver } from './driver/session.js'
export type { ChildEvents, ChildExit, DriverChild, DriverCommand, SpawnDriver } from './driver/spawn-driver.js'
export type { Finding } from './driver/validate/finding.js'
export { type DriverCheck, validateDriver } from './driver/validate-driver.js'
export type { HostClock } from './host-clock.js'
