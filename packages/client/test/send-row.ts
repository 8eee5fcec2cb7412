import type { RetryPolicy, SendOptions } from '@sluice/client'
import type { SubjectCall } from '@sluice/core/conformance'

type Sluice = typeof import('@sluice/client')

/** The call of a row as a user of the package makes it: the gateway has no such operation, so by `client.request()`. */
export function sendRow(
  call: Omit<SubjectCall, 'policy'>,
  policy: RetryPolicy,
  sluice: Sluice,
  { onGiveUp, limit }: Pick<SendOptions, 'onGiveUp' | 'limit'> = {},
) {
  const { clock, random, request, signal } = call
  const { origin, pathname, search } = new URL(request.url)
  const builder = new sluice.ClientBuilder(origin)
    .retry(policy)
    .fetch(call.fetch)
    .with({ clock, random, idempotent: request.idempotent, onGiveUp })
  const client = (limit ? builder.limit(limit) : builder).build()
  return client.request({
    // Any method: the table has some that the generated type does not know.
    method: request.method as 'GET',
    url: pathname + search,
    headers: request.headers,
    body: { none: undefined, replayable: 'body', stream: new Blob(['body']).stream() }[request.body],
    signal,
  })
}
