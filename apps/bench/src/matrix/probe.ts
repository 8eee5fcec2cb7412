/** One answer of the scripted server. */
export type Scripted =
  /** The connection is reset once the request has been read. */
  | 'reset'
  | {
      status: number
      /** @param now epoch ms */
      headers: (now: number) => Record<string, string | string[]>
      /** The moment before which the server does not want to see the client again, epoch ms; null: none stated. */
      notBefore: (now: number) => number | null
    }

/** What must be seen. `judge.ts` says what each means. */
export type Expectation =
  /** It comes back, not before the stated moment and not long after it. */
  | 'comes-back'
  /** It comes back at once, each time. */
  | 'at-once'
  /** It comes back, after a wait of its own making: a malformed value is no value. */
  | 'as-if-absent'
  /** It comes back, and there is a wait. */
  | 'backs-off'
  /** It comes back, whenever. */
  | 'returns'
  /** It gives the answer to its caller at once, and is not seen again. */
  | 'fails-fast'
  /** It is seen once, or again under the same idempotency key. */
  | 'once'
  /** It comes to an end by itself. */
  | 'ends'
  /** After the caller's abort nothing arrives, and the call rejects at once. */
  | 'abort'
  /** The caller can read the body of the last answer. */
  | 'body'
  /** The caller can read the stated wait. */
  | 'header'

export interface Probe {
  /** In addresses: lower case, hyphens. */
  id: string
  /** Rule of spec/README.md. */
  rule: string
  group: string
  /** What the server does, then what is expected. */
  title: string
  method: 'GET' | 'POST'
  keyed?: true
  /** In turn; the last repeats. */
  answers: Scripted[]
  expect: Expectation
  /** How long the client is watched. Default `SHORT`. */
  windowMs?: number
  /** How often it is tried, each time as a call of its own. Default 1. */
  tries?: number
  /** When the caller aborts, since the call began. */
  abortAtMs?: number
  /** About a reading of Retry-After: says nothing about a client that ignores the header. */
  reading?: true
  /** No standard: a client that knows nothing of it is not at fault. */
  convention?: true
}

/** Long enough for a stated wait of two seconds and a generous margin. */
export const SHORT = 4_200

/** Long enough to see a client that shortens a stated hour to 5, 10 or 30 seconds. */
export const LONG = 34_000

const nothing = (): null => null

/** `{ status }` and its headers, with the wait they state (null: none). */
export function answer(status: number, headers: Record<string, string | string[]> = {}, statedMs?: number): Scripted {
  return { status, headers: () => headers, notBefore: statedMs === undefined ? nothing : (now) => now + statedMs }
}

export const ok: Scripted = answer(200)
