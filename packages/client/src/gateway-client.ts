import type { WaitingCalls } from '@sluice/fetch'
import { callOperation } from './call-operation.js'
import { dressFetch, PLACEHOLDER } from './dress-fetch.js'
import { type Client, createClient, createConfig } from './gen/client/index.js'
import { useFetch } from './gen/retry/operation-fetch.js'
import { createOperationFetch } from './gen/retry.gen.js'
import { type AnyOperation, type AnyOptions, generated, type Operations, READ_AS } from './operations.js'
import { type Settings, shownSettings } from './settings.js'
import { showAs } from './show.js'

/** A client of one gateway: its operations as methods, which need no `this`. It prints without secrets. */
export interface GatewayClient extends Operations {
  /** Where it sends to. */
  readonly url: string
  /** A request that is no operation, sent and retried like one: `{ method, url, … }`, the URL below the client's. */
  readonly request: Client['request']
  /** The calls that wait for a retry right now. */
  readonly waiting: WaitingCalls
}

const BEARER = { security: [{ scheme: 'bearer', type: 'http' }] }

/** Makes a client; it shares nothing with another one. */
export function makeClient(settings: Settings): GatewayClient {
  const { url, timeoutMs, policy, bearer, options } = settings
  const backingOff = createOperationFetch({ ...options, policy, baseUrl: url, fetch: dressFetch(settings) })
  const fetch = timeoutMs === undefined ? backingOff : backingOff.with({ attemptTimeoutMs: timeoutMs })
  const auth = bearer === undefined ? undefined : PLACEHOLDER
  const client = useFetch(createClient(createConfig({ baseUrl: url, auth })), fetch)

  const bind =
    (operation: AnyOperation, presets?: AnyOptions) =>
    (given: AnyOptions = {}) =>
      callOperation(operation, { ...presets, ...given }, { settings, client, fetch })
  const methods = Object.fromEntries(generated.map(([name, operation]) => [name, bind(operation, READ_AS[name])]))
  const made = {
    ...methods,
    url,
    request: bind(client.request as AnyOperation, BEARER), // its options are typed where it is called
    waiting: fetch.waiting,
  }
  // Each method has the type of the function that it was made from.
  return showAs(made, 'GatewayClient', () => shownSettings(settings)) as unknown as GatewayClient
}
