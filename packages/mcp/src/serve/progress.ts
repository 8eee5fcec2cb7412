import type { ServerContext } from '@modelcontextprotocol/server'
import type { RetryEvent } from '@sluice/core'
import { waitingNote } from '@sluice/core/words'

/** Tells who asked for it why nothing happens (S2): one notification a retry, before its wait. */
export function progressOf({ mcpReq }: ServerContext): (event: RetryEvent) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  return (event) => {
    // The number of attempts made: it must grow, and nobody knows how many there will be.
    const params = { progressToken, progress: event.attempt - 1, message: waitingNote(event) }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}) // who is gone hears nothing
  }
}
