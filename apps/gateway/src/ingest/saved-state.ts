import type { SavedPipeline } from '@sluice/ingest'
import { z } from 'zod'
import { moment } from '../state/kept-form.js'
import type { SavedFreshness } from './freshness.js'

/** What `pipeline.json` holds. */
export interface SavedState {
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

/** The form in which it was written below, and in which somebody who edits it must leave it. */
export const savedState: z.ZodType<SavedState> = z.strictObject({
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
