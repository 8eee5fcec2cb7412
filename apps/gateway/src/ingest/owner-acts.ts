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
    ({ paused, ...others }) => ({ ...others, paused: [...paused.filter((it) => it !== key), key] }),
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
    ({ paused, ...others }) => ({ ...others, paused: paused.filter((it) => it !== key) }),
    () => ingest.pipeline.backlogs.resume(key),
  )
}

/** Writes it to another node from now on, or where it belongs (null). */
export function reroute(ingest: Ingest, source: DataSource, node: string | null): Promise<void> {
  const { key } = source
  return ingest.change(
    source,
    ({ routes, ...others }) => {
      const rest = routes.filter(([routed]) => routed !== key)
      return { ...others, routes: node === null ? rest : [...rest, [key, node]] }
    },
    () => ingest.pipeline.backlogs.reroute(key, node),
  )
}

/** What is known, but for all that was changed of one data source. */
export const without =
  (key: string) =>
  ({ paused, routes, guard, ...others }: SavedPipeline): SavedPipeline => ({
    ...others,
    paused: paused.filter((it) => it !== key),
    routes: routes.filter(([routed]) => routed !== key),
    guard: { ...guard, limits: guard.limits.filter(([limited]) => limited !== key) },
  })

/** Ends its temporary limit. */
export function lift(ingest: Ingest, source: DataSource): Promise<void> {
  const { key } = source
  return ingest.change(
    source,
    ({ guard, ...others }) => ({
      ...others,
      guard: { ...guard, limits: guard.limits.filter(([limited]) => limited !== key) },
    }),
    () => ingest.pipeline.lift(key),
  )
}
