import { checkedPolicy } from '@sluice/core/adapter'
import { createFetch, type RetryPolicy, serverTiming } from '@sluice/fetch'
import {
  checkedUrl,
  checkFunction,
  checkHeader,
  checkLimit,
  checkNamespace,
  checkTimeout,
  checkToken,
} from './check-inputs.js'
import { type GatewayClient, makeClient } from './gateway-client.js'
import { type Bearer, type SendOptions, type Settings, shownSettings, type TraceSource } from './settings.js'
import { showAs } from './show.js'

/** What says how the gateway is must not wait for it, and an endless answer would never give its slot back. */
const isPastLimit = (url: string): boolean =>
  /\/(healthz|readyz|metrics|(status|notices)\/stream)$/.test(new URL(url).pathname)

/**
 * Puts a client together, step by step. Each step returns a new builder and leaves the old one as it was. A builder
 * prints without its token and without the values of its headers.
 *
 * Every step throws a TypeError for what it cannot take; none of these errors shows a token or a header's value.
 */
export class ClientBuilder {
  #settings: Settings

  /** @param url where the gateway is: http or https, a path if it has one, no credentials */
  constructor(url: string | URL) {
    this.#settings = { url: checkedUrl(url), headers: new Map(), options: {} }
    showAs(this, 'ClientBuilder', () => shownSettings(this.#settings))
  }

  /**
   * Sends `Authorization: Bearer …` where an operation asks for it, and to no origin but the builder's.
   * @param token the token, or a function that gives it before each attempt
   */
  bearer(token: Bearer): ClientBuilder {
    if (typeof token !== 'function') checkToken(token)
    return this.#with({ bearer: token })
  }

  /** Sends `X-Tenant-ID`: 1 to 64 letters, digits, `.`, `_` or `-`. */
  tenant(id: string): ClientBuilder {
    checkNamespace('.tenant', id)
    return this.#withHeader('.tenant', 'X-Tenant-ID', id)
  }

  /** Sends `X-Dataset-ID`: likewise. */
  dataset(id: string): ClientBuilder {
    checkNamespace('.dataset', id)
    return this.#withHeader('.dataset', 'X-Dataset-ID', id)
  }

  /** Sends a header with every request that has none of this name. */
  header(name: string, value: string): ClientBuilder {
    return this.#withHeader('.header', name, value)
  }

  /** How long one attempt may take to answer, in ms. Default: what the policy says, 60 000. */
  timeout(ms: number): ClientBuilder {
    checkTimeout(ms)
    return this.#with({ timeoutMs: ms })
  }

  /** In place of the policy that the gateway's document names, `interactive`. What it says of one operation stays. */
  retry(policy: RetryPolicy): ClientBuilder {
    return this.#with({ policy: checkedPolicy(policy, 'ClientBuilder.retry') })
  }

  /** Passes trace headers on: `openTelemetry` of @sluice/client/opentelemetry, or a function of your own. */
  trace(source: TraceSource): ClientBuilder {
    checkFunction('.trace', source)
    return this.#with({ trace: source })
  }

  /**
   * Bounds the calls in flight: an `AdaptiveSemaphore`, shared by the clients of one gateway, or `Limiters`. Latency is what
   * the gateway's nodes say that they took. Probes of its health and the stream of its status are let past.
   */
  limit(limit: NonNullable<SendOptions['limit']>): ClientBuilder {
    checkLimit(limit)
    return this.with({ limit, latencyOf: serverTiming('node'), letPast: isPastLimit })
  }

  /** The fetch underneath. Default: the platform's, looked up at each attempt. */
  fetch(fetch: typeof globalThis.fetch): ClientBuilder {
    checkFunction('.fetch', fetch)
    return this.with({ fetch })
  }

  /** What else `createFetch()` takes: `onRetry`, `onGiveUp`, `logger`, `retryBudget`, `idempotencyKey`, `clock`, … */
  with(options: SendOptions): ClientBuilder {
    if (Object(options).policy !== undefined) throw new TypeError('ClientBuilder.with: give the policy to .retry()')
    createFetch(options) // it checks them, and nobody uses it
    return this.#with({ options: { ...this.#settings.options, ...options } })
  }

  /** Makes the client. It sends nothing yet. */
  build(): GatewayClient {
    return makeClient(this.#settings)
  }

  #with(changes: Partial<Settings>): ClientBuilder {
    const next = new ClientBuilder(this.#settings.url)
    next.#settings = { ...this.#settings, ...changes }
    return next
  }

  #withHeader(step: string, name: string, value: string): ClientBuilder {
    checkHeader(step, name, value)
    return this.#with({ headers: new Map(this.#settings.headers).set(name.toLowerCase(), value) })
  }
}
