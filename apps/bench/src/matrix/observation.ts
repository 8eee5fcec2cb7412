/** One request as it arrived. All times are ms since the first one of the same call arrived. */
export interface Send {
  atMs: number
  method: string
  idempotencyKey: string | null
  /** What it was answered, as one reads it: `429 Retry-After: 2`. */
  answer: string
  answeredAtMs: number
  /** The moment the server stated; null: none. */
  notBeforeMs: number | null
}

/** How the call ended for its caller. */
export interface End {
  atMs: number
  /** Null where there was no answer, or the client hid it. */
  status: number | null
  retryAfter: string | null
  body: string | null
  /** Name and message of what was thrown without an answer. */
  error: string | null
}

/** What was seen of one call. */
export interface Observation {
  sends: Send[]
  /** Null: still going when the window closed. */
  end: End | null
  abortedAtMs: number | null
  /** When the watching ended. */
  untilMs: number
  /** The same probe tried again, where a wait of nothing must be told from a busy machine. */
  again: Observation[]
}

/** From each answer to the next request. */
export const waitsOf = ({ sends }: Observation): number[] =>
  sends.slice(1).map((send, index) => send.atMs - (sends[index]?.answeredAtMs ?? 0))

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The waits of that try whose waits are shortest on average: a busy machine only adds. Empty where none came back. */
export function quickestTry(seen: Observation): number[] {
  const tries = [seen, ...seen.again].map(waitsOf).filter((waits) => waits.length > 0)
  return tries.sort((a, b) => mean(a) - mean(b))[0] ?? []
}
