import type { SavedPipeline } from '@sluice/ingest'
import { z } from 'zod'
import { moment } from '../state/kept-form.js'
import type { SavedFreshness } from './freshness.js'
import { keptName, tenantOf } from './source-key.js'

/** What is kept of one tenant's data sources beside their definitions. */
export interface SavedState {
  readonly tenant: string
  readonly pipeline: SavedPipeline
  readonly freshness: readonly (readonly [key: string, saved: SavedFreshness])[]
}

const amount = z.number().min(0)
const source = z.string()
const reason = z.enum(['slow_flushes', 'old_events', 'many_parts'])

const breaker = z.strictObject({
  ...{ flushes: amount, meanMs: amount, openForMs: amount.nullable() },
  ...{ reason: reason.nullable(), measure: amount, holds: amount, unanswered: z.array(reason) },
  ...{ heldForMs: amount, ageAllowanceMs: amount },
})

const limit = z.strictObject({
  saturation: z.strictObject({ valueMs: amount }),
  rowsPerSecond: z.number().positive().nullable(),
  healthyForMs: amount,
})

/** The form in which it is written, and in which somebody who edits it must leave it. */
export const savedState: z.ZodType<SavedState> = z.strictObject({
  tenant: keptName.tenant,
  pipeline: z.strictObject({
    guard: z.strictObject({
      breaker: z.array(z.tuple([source, breaker])),
      limits: z.array(z.tuple([source, limit])),
    }),
    paused: z.array(source),
    routes: z.array(z.tuple([source, z.string()])),
  }),
  freshness: z.array(z.tuple([source, z.strictObject({ newestMs: moment.nullable(), writtenMs: moment.nullable() })])),
})

/** Of a tenant of whose data sources nothing is known. */
export const NOTHING: SavedPipeline = { guard: { breaker: [], limits: [] }, paused: [], routes: [] }

/** What is known of the data sources of all, by tenant. */
export function byTenant({ guard, paused, routes }: SavedPipeline): ReadonlyMap<string, SavedPipeline> {
  const ofKey = ([key]: readonly [string, unknown]) => tenantOf(key)
  const [breakers, limits] = [grouped(guard.breaker, ofKey), grouped(guard.limits, ofKey)]
  const [pauses, routed] = [grouped(paused, tenantOf), grouped(routes, ofKey)]
  const tenants = new Set([breakers, limits, pauses, routed].flatMap((it) => [...it.keys()]))
  const of = (tenant: string): SavedPipeline => ({
    guard: { breaker: breakers.get(tenant) ?? [], limits: limits.get(tenant) ?? [] },
    paused: pauses.get(tenant) ?? [],
    routes: routed.get(tenant) ?? [],
  })
  return new Map([...tenants].map((tenant) => [tenant, of(tenant)]))
}

/** What is known of all tenants together. */
export function joined(all: readonly SavedPipeline[]): SavedPipeline {
  return {
    guard: { breaker: all.flatMap(({ guard }) => guard.breaker), limits: all.flatMap(({ guard }) => guard.limits) },
    paused: all.flatMap(({ paused }) => paused),
    routes: all.flatMap(({ routes }) => routes),
  }
}

/** In the order in which they come. */
export function grouped<T>(all: readonly T[], groupOf: (it: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const it of all) {
    const group = groups.get(groupOf(it))
    if (group) group.push(it)
    else groups.set(groupOf(it), [it])
  }
  return groups
}
