import { type DataSource, type GatewayClient, type Notice, unwrap } from '@sluice/client'
import type { Clock } from '@sluice/core'
import { pause } from '../surge/pause.js'
import { RUNAWAY } from './sources.js'

const EVERY_MS = 300

/** How the runaway was at one moment. */
export interface Sight {
  /** On the demo's clock. */
  readonly atMs: number
  readonly state: DataSource['state']
  /** Accepted and not written. */
  readonly rows: number
  /** How long the oldest of them waits. */
  readonly oldestMs: number
}

/** What is known of it. */
export interface Lookout {
  readonly sights: readonly Sight[]
  /** All that was written since it began, oldest first. */
  readonly notices: readonly Notice[]
  /** Fulfils when something is to be seen; false: it was not, in so long. @throws what looking threw, or the signal's reason */
  until(seen: (sight: Sight) => boolean, withinMs: number): Promise<boolean>
  stop(): Promise<void>
}

/** Looks at the runaway three times a second, as its owner would. */
export function startLookout(
  client: GatewayClient,
  clock: Clock,
  signal: AbortSignal,
  onSight: (sight: Sight) => void,
): Lookout {
  const sights: Sight[] = []
  const notices: Notice[] = []
  let stopped = false
  const look = async (): Promise<void> => {
    while (!stopped) {
      const { state, backlog } = await unwrap(client.getDataSource({ path: { name: RUNAWAY }, signal }))
      const oldestMs = backlog.oldest_at === null ? 0 : Math.max(0, clock.wallNow() - Date.parse(backlog.oldest_at))
      const sight: Sight = { atMs: clock.now(), state, rows: backlog.rows, oldestMs }
      const told = (await unwrap(client.listNotices({ signal }))).notices
      notices.splice(0, notices.length, ...[...told].reverse())
      sights.push(sight)
      onSight(sight)
      await pause(clock, EVERY_MS, signal)
    }
  }
  const looking = look()
  looking.catch(() => undefined) // told by until() and stop()
  return {
    sights,
    notices,
    async until(seen, withinMs) {
      const endMs = clock.now() + withinMs
      for (let next = sights.length; clock.now() < endMs; ) {
        await Promise.race([pause(clock, EVERY_MS / 3, signal), looking])
        for (; next < sights.length; next++) {
          const sight = sights[next]
          if (sight !== undefined && seen(sight)) return true
        }
      }
      return false
    },
    async stop() {
      stopped = true
      await looking
    },
  }
}
