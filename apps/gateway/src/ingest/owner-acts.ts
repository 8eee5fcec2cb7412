import type { SavedPipeline } from '@sluice/ingest'
import type { DataSource } from './data-source.js'
import type { Ingest } from './ingest.js'

// What an owner changes is on disk before it is so, and before it is answered. All throw NotKeptError: then nothing has changed.

/**
 * Writes nothing of it until it is resumed.
 * @param withinMs what is under way is waited for so long
 */
export async function pause(ingest: Ingest, source: DataSource, withinMs: number): Promise<void> {
  const { key } = source
  const { backlogs } = ingest.pipeline
  let quiet: Promise<unknown> | undefined
  await ingest.change(
    source,
    (saved) => ({ ...saved, paused: [...unpaused(saved, key).paused, key] }),
    () => {
      quiet = backlogs.pause(key, withinMs)
    },
  )
  await quiet
}

export function resume(ingest: Ingest, source: DataSource): Promise<void> {
  const { key } = source
  return ingest.change(
    source,
    (saved) => unpaused(saved, key),
    () => ingest.pipeline.backlogs.resume(key),
  )
}

/** Writes it to another node from now on, or where it belongs (null). */
export function reroute(ingest: Ingest, source: DataSource, node: string | null): Promise<void> {
  const { key } = source
  return ingest.change(
    source,
    (saved) => {
      const rest = unrouted(saved, key)
      return node === null ? rest : { ...rest, routes: [...rest.routes, [key, node]] }
    },
    () => ingest.pipeline.backlogs.reroute(key, node),
  )
}

/** Ends its temporary limit. */
export function lift(ingest: Ingest, source: DataSource): Promise<void> {
  const { key } = source
  return ingest.change(
    source,
    (saved) => unlimited(saved, key),
    () => ingest.pipeline.lift(key),
  )
}

/** What is known, but for all that was changed of one data source. */
export const without =
  (key: string) =>
  (saved: SavedPipeline): SavedPipeline =>
    unpaused(unrouted(unlimited(saved, key), key), key)

function unpaused(saved: SavedPipeline, key: string): SavedPipeline {
  return { ...saved, paused: saved.paused.filter((it) => it !== key) }
}

function unrouted(saved: SavedPipeline, key: string): SavedPipeline {
  return { ...saved, routes: saved.routes.filter(([routed]) => routed !== key) }
}

function unlimited({ guard, ...others }: SavedPipeline, key: string): SavedPipeline {
  return { ...others, guard: { ...guard, limits: guard.limits.filter(([limited]) => limited !== key) } }
}
