import type { Call, Ended } from './subject.js'
import type { LimitReading } from './table/limit-table.js'

/** What calls share. */
export interface Shared {
  /** Fields of the limiter's config in the tables' words; what is absent has its default. */
  limiter: Record<string, unknown>
  /** Whether they share a retry budget too, a fresh one (R16). */
  retry_budget: boolean
}

/** An implementation whose calls go through one limiter. */
export interface SharedSubject {
  /** Makes one call, as a subject does; each goes through the limiter, and several are under way at a time. */
  call(call: Call): Promise<SharedEnded>
  /** The limiter, as it stands. */
  read(): LimitReading
}

/** As of a single call. `read` reads the body of the answer that surfaced to its end; absent: there is none to read. */
export type SharedEnded = Ended & { read?(): Promise<unknown> }
