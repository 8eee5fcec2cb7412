import type { LimitReading, Refusal } from './table/limit-table.js'

/** One call that asks for a slot. */
export interface LimitCall {
  /** How long it may be held, in ms; null: as long as it takes. */
  cap_ms: number | null
  signal: AbortSignal
  /** The slot that an earlier attempt of the same call had; null: this is its first. */
  retry_of: LimitSlot | null
}

/** A slot that a call was given. */
export interface LimitSlot {
  /** Its attempt ended after so long, with an answer or (`timeout`) without one; it is in flight still (L18). */
  sample(latencyMs: number, timeout: boolean): void
  release(): void
}

/** What became of a call that asked. */
export type LimitArrival =
  | { slot: LimitSlot }
  /** `retry_after_ms`: what one that was held was told. */
  | { refused: Refusal; retry_after_ms: number | null }
  | { refused: 'aborted' | 'disposed' }

/** A limiter, as the tables' runner wants it. */
export interface LimitSubject {
  arrive(call: LimitCall): Promise<LimitArrival>
  /**
   * An attempt ended after so long, with an answer or (`timeout`) without one. It says nothing of a slot: as many are in
   * flight as have one, and where none has nobody knows it (L18).
   */
  sample(latencyMs: number, timeout: boolean): void
  /** An attempt was refused by the server. */
  throttle(retryAfterMs: number | null): void
  /** An attempt failed in another way. */
  failure(): void
  resetBaseline(): void
  read(): LimitReading
  /** The names of the events since it was last asked. Absent: it tells none. */
  events?(): readonly string[]
  /** What another process is to know, as JSON (L17). Absent: nothing is kept. */
  save?(): unknown
  /** Everything is over: no timer may be left, and nobody may go on waiting. */
  dispose(): void
}
