import type { DataSource } from './data-source.js'
import type { Ingest } from './ingest.js'

// What an owner changes is on disk before it is so, and before it is answered. All throw NotKeptError: then nothing has changed.

/**
 * Writes nothing of it until it is resumed.
 * @param withinMs what is under way is waited for so long
 */
export async function pause(ingest: Ingest, { key }: DataSource, withinMs: number): Promise<void> {
  const { backlogs } = ingest.pipeline
  let quiet: Promise<unknown> | undefined
  await ingest.change(
    ({ paused, ...others }) => ({ ...others, paused: [...paused.filter((it) => it !== key), key] }),
    () => {
      quiet = backlogs.pause(key, withinMs)
    },
  )
  await quiet
}

export function resume(ingest: Ingest, { key }: DataSource): Promise<void> {
  return ingest.change(
    ({ paused, ...others }) => ({ ...others, paused: paused.filter((it) => it !== key) }),
    () => ingest.pipeline.backlogs.resume(key),
  )
}

/** Writes it to another node from now on, or where it belongs (null). */
export function reroute(ingest: Ingest, { key }: DataSource, node: string | null): Promise<void> {
  return ingest.change(
    ({ routes, ...others }) => {
      const rest = routes.filter(([source]) => source !== key)
      return { ...others, routes: node === null ? rest : [...rest, [key, node]] }
    },
    () => ingest.pipeline.backlogs.reroute(key, node),
  )
}

/** Ends its temporary limit. */
export function lift(ingest: Ingest, { key }: DataSource): Promise<void> {
  return ingest.change(
    ({ guard, ...others }) => ({
      ...others,
      guard: { ...guard, limits: guard.limits.filter(([source]) => source !== key) },
    }),
    () => ingest.pipeline.lift(key),
  )
}
