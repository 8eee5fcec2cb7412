import { NodeUnavailableError } from './node-unavailable-error.js'

/** The node answers, and does nothing for the gateway: its user or password is not known there, or may not do enough. */
export class NodeRefusalError extends NodeUnavailableError {
  constructor(
    /** ClickHouse's own number: 193 is a wrong password. */
    readonly clickhouseCode: number | undefined,
    /** What the engine said. It is for logs. */
    override readonly cause: Error,
  ) {
    super(`The engine does not serve the gateway (Code: ${clickhouseCode ?? 'none'}).`, 1000)
  }
}
