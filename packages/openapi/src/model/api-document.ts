import type { Operation, OperationSummary } from './operation.js'

/** A document that was read, checked and indexed; from a file, a URL, stdin or the cache. */
export interface ApiDocument {
  readonly title: string
  readonly version: string
  /** '3.0.x' or '3.1.x' */
  readonly openapi: string
  /** Base URLs as the document states them, made absolute where it was read from a URL. Nobody has vouched for them: no token goes there. */
  readonly servers: readonly string[]
  /** Declared and used tags, in the document's order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** In the document's order. */
  readonly operations: readonly OperationSummary[]
  /** What was read otherwise than written: settings that could not be carried over, names taken twice, a cache in place of the source; one sentence each. */
  readonly notes: readonly string[]
  /**
   * The whole of one operation.
   * @throws UnknownOperationError with the nearest ids
   */
  operation(id: string): Promise<Operation>
}
