/** Reads response headers by name, any case: a `Headers`, or anything shaped like its `get`. */
export interface HeaderReader {
  get(name: string): string | null
}

/** Why one attempt did not succeed. */
export type Failure =
  | { readonly kind: 'status'; readonly status: number; readonly headers: HeaderReader }
  /** The connection failed; `refusedStream` where an HTTP/2 server promised that nothing was processed (R3). */
  | { readonly kind: 'connect'; readonly refusedStream?: boolean }
  | { readonly kind: 'timeout' }
  /** Anything else: never retried (R3). */
  | { readonly kind: 'final' }

/** What kind of trouble a failure is: refused before acting, may pass, or neither. */
export type FailureClass = 'throttle' | 'transient' | 'final'

/** An answer of {@link Classify}: the class, and the wait in ms that counts as stated where no header states one. */
export interface Classification {
  class: FailureClass
  waitMs?: number | null
}

/**
 * Reads a failed response the way one service documents it (R4).
 *
 * @param failure the status and headers
 * @param peek resolves with the start of the body as text, at most 16 KiB; call it only where headers do not suffice
 * @returns its classification, or undefined to leave the failure to the policy's statuses. What it throws ends the call;
 *   one that takes longer than the attempt timeout (10 s where there is none) counts as undefined.
 */
export type Classify = (
  failure: Extract<Failure, { kind: 'status' }>,
  peek: () => Promise<string>,
) => Classification | undefined | Promise<Classification | undefined>
