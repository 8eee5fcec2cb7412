import { type Attempt, AttemptTimeoutError, type Clock } from '@sluice/core'

/** What bounds a body, and who is told of it. */
export interface BodyParts {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly attempt: Attempt
  readonly idleMs: number | null
  readonly clock: Clock
  readonly chunk: ((bytes: Uint8Array) => void) | undefined
  /** Called when it was read to its end (`whole`), cancelled, or failed; what it throws fails the body. */
  readonly end: (whole: boolean) => void
  /** Called with what it fails with, before whoever reads it learns of that. */
  readonly failed: (reason: unknown) => void
}

/**
 * The source of a stream that passes a body on: a silence longer than `idleMs` ends it with an AttemptTimeoutError (R10),
 * `fail()` with any reason. Lives as long as something reads the stream or can.
 */
export class BoundedBody implements UnderlyingDefaultSource<Uint8Array> {
  readonly #parts: BodyParts
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #over = false

  constructor(parts: BodyParts) {
    this.#parts = parts
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { reader, idleMs, clock, chunk } = this.#parts
    const expire = (): void => this.fail(new AttemptTimeoutError(idleMs ?? 0, 'body'))
    const cancelTimer = idleMs === null ? undefined : clock.timer(idleMs, expire)
    try {
      const { done, value } = await reader.read()
      if (this.#over) return
      if (!done) {
        chunk?.(value)
        return controller.enqueue(value)
      }
      this.#end(true)
      controller.close()
    } catch (error) {
      this.fail(error)
    } finally {
      cancelTimer?.()
    }
  }

  cancel(reason: unknown): Promise<void> {
    this.#end()
    return this.#letGo(reason)
  }

  /** Ends it with a reason, and the connection. Does nothing to one that is over. */
  fail(reason: unknown): void {
    if (this.#over) return
    const { attempt, failed } = this.#parts
    failed(reason)
    this.#end()
    this.#controller?.error(reason) // first: what the connection then says does not matter
    attempt.abort(reason)
    void this.#letGo(reason)
  }

  #end(whole = false): void {
    this.#parts.end(whole) // first: what it throws fails the body, which ends it again
    this.#over = true
  }

  #letGo(reason: unknown): Promise<void> {
    return this.#parts.reader.cancel(reason).catch(() => {})
  }
}
