import type { GatewayStatus } from '@sluice/gateway'
import type { Stand } from './stand.js'

/** What the gateway says of its limit. */
export type NodeLimit = GatewayStatus['nodes'][number]['limit']

/**
 * Follows `GET /v1/status/stream` until the signal is aborted or the gateway closes it.
 * @throws what fetch throws where nobody answers
 */
export async function lookOn(stand: Stand, signal: AbortSignal, onLimit: (limit: NodeLimit) => void): Promise<void> {
  const response = await fetch(`${stand.url}/v1/status/stream`, { headers: stand.headersOf('onlooker'), signal })
  if (response.body === null || !response.ok)
    throw new Error(`The gateway's status cannot be followed: ${response.status}.`)
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data === undefined) continue // a comment
      const status = JSON.parse(data) as GatewayStatus // the gateway's own words, held to its contract by its tests
      const [node] = status.nodes
      if (node !== undefined) onLimit(node.limit)
    }
  }
}
