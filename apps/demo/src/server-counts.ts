import { type Logger, silentLogger } from '@sluice/gateway'

/** What the gateway saw of one token. */
export interface ServerCount {
  readonly requests: number
  /** Requests it answered with 429. */
  readonly refusals: number
}

const NONE: ServerCount = { requests: 0, refusals: 0 }

/** Listens to the gateway's access log: a count at the other end of the wire. */
export class ServerCounts {
  readonly #byToken = new Map<string, ServerCount>()

  readonly logger: Logger = {
    ...silentLogger,
    info: (message, fields) => {
      const token = fields?.token
      if (message !== 'request' || typeof token !== 'string') return
      const { requests, refusals } = this.of(token)
      this.#byToken.set(token, { requests: requests + 1, refusals: refusals + (fields?.status === 429 ? 1 : 0) })
    },
  }

  /** @param token its name, not its secret */
  of(token: string): ServerCount {
    return this.#byToken.get(token) ?? NONE
  }
}
