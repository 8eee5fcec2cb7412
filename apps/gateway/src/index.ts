// Starting one

// What it is given
export type { Plans, TokenOptions } from './auth/token-options.js'
// What starting may throw
export { ConfigError } from './config-error.js'
export type { Dataset } from './datasets/dataset.js'
export { flights } from './datasets/flights.js'
export type { GatewayOptions } from './gateway-options.js'
export type { GatewayLimitOptions } from './limit/limit-config.js'
export { type LogFields, type Logger, silentLogger, textLogger } from './logger.js'
export { EngineStartError } from './nodes/engine-start-error.js'
export type { ParameterIssue } from './pipes/check-parameters.js'
export { flightPipes } from './pipes/flights/flight-pipes.js'
export {
  dateParameter,
  integerParameter,
  numberParameter,
  type PipeParameter,
  textParameter,
  timeParameter,
} from './pipes/parameter.js'
export type { Pipe } from './pipes/pipe.js'

// What it answers on GET /v1/pipes
export type { ParameterListing, PipeListing } from './pipes/registry.js'
export { defaultPlan, type Plan } from './quota/plan.js'
export { AddressInUseError } from './server/address-in-use-error.js'
// What it answers on GET /v1/status
export type { GatewayStatus } from './server/contract.js'
export { ListenError } from './server/listen-error.js'
export type { RouteHandler } from './server/route-handler.js'
export { type Gateway, startGateway } from './start-gateway.js'
