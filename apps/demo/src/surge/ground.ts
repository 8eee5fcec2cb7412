import type { Clock } from '@sluice/core'
import type { GatewayLimitOptions } from '@sluice/gateway'
import type { AskOptions } from './ask.js'
import { lookOn, type NodeLimit } from './onlooker.js'
import { type Stand, startStand } from './stand.js'

/** What a ground is made with. */
export interface GroundOptions {
  readonly cores: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** What a part of the act is played on. */
export interface Ground extends AskOptions {
  readonly stand: Stand
  /** Who is told what the gateway says of its limit, as it says it. */
  watch(onLimit: (limit: NodeLimit) => void): void
}

/**
 * Plays on a gateway of its own, which is closed afterwards, however it went.
 * @throws what `play` throws, the signal's reason, what starting a gateway throws
 */
export async function onGround<T>(
  { cores, clock, signal }: GroundOptions,
  limit: GatewayLimitOptions,
  record: string | undefined,
  play: (ground: Ground) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const stand = await startStand(cores, limit, record)
  let onLimit = (_: NodeLimit): void => {}
  const looking = lookOn(stand, signal, (it) => onLimit(it))
  looking.catch(() => undefined) // told below
  const watch = (listener: (limit: NodeLimit) => void): void => {
    onLimit = listener
  }
  let played: T
  try {
    signal.throwIfAborted()
    played = await play({ stand, clock, signal, watch })
  } finally {
    await stand.close() // which ends its stream, too
  }
  await looking
  return played
}
