import type { Figures } from './play.js'
import type { ServerCount } from './server-counts.js'

/**
 * What speaks against the figures of one client, a sentence each: the gateway counted otherwise, or calls ended for
 * another reason than the quota, which is all that is compared here.
 */
export function doubtsAbout(figures: Figures, server: ServerCount): readonly string[] {
  const { name, sends, refusals, broken } = figures
  const doubts: string[] = []
  if (sends !== server.requests || refusals !== server.refusals) {
    doubts.push(
      `${name}: ${sends} sends and ${refusals} refusals (429) were counted here, ` +
        `${server.requests} and ${server.refusals} by the gateway.`,
    )
  }
  if (broken > 0) doubts.push(`${name}: ${broken} calls ended with neither data nor a 429.`)
  return doubts
}
