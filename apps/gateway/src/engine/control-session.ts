import type { EngineSession } from './session-pool.js'

/** The session that is never given to a query, so that a question or a kill does not wait behind one. */
export class ControlSession {
  readonly #open: () => EngineSession
  #session: EngineSession
  #tail: Promise<unknown> = Promise.resolve()

  constructor(open: () => EngineSession) {
    this.#open = open
    this.#session = open()
  }

  /** Runs one statement, after those before it: two at once on one session would each hold a thread. */
  run(sql: string): Promise<void> {
    const result = this.#tail.then(async () => {
      try {
        await this.#session.queryAsync(sql, { format: 'TSV' })
      } catch (error) {
        // What a failed statement left behind would come out in front of the next answer.
        this.#session.close()
        this.#session = this.#open()
        throw error
      }
    })
    this.#tail = result.catch(() => undefined)
    return result
  }

  close(): void {
    this.#session.close()
  }
}
