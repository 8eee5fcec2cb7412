import { privateHeaders } from '@sluice/fetch'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { GATEWAY } from './document.js'
import type { AskedCall } from './make-call.js'
import type { Token } from './token.js'

/**
 * Where the call goes. An address that only the document names gets no secret: nobody has vouched for it.
 * @throws UsageError where there is none, or a secret would go to one that the person did not name
 */
export function baseUrlFor(
  world: World,
  { ours, operation, options }: Pick<AskedCall, 'ours' | 'operation' | 'options'>,
  token: Token | null,
  given: Headers,
): string {
  const named = options.baseUrl ?? (world.env.SLUICE_BASE_URL || undefined)
  if (named !== undefined) return named
  if (ours) return GATEWAY
  const [server] = operation.servers
  const secret = token?.from ?? privateHeaders(given).map((name) => `-H ${name}`)[0]
  if (secret !== undefined)
    throw new UsageError(
      `${secret} is sent to no address that only a document names${server === undefined ? '' : ` (${server})`}; name it with --base-url${token === null ? '' : ', or give --no-token'}`,
    )
  if (server === undefined || !/^https?:/i.test(server))
    throw new UsageError('the document names no server to call; give --base-url')
  return server
}
