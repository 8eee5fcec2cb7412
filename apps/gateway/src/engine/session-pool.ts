/** Rows for one table, as bytes. */
export interface EngineInsert {
  readonly table: string
  readonly format: 'JSONEachRow'
  readonly values: Buffer
  readonly settings: Record<string, string | number>
}

/** The part of chdb's Session that is used here. */
export interface EngineSession {
  queryAsync(sql: string, options?: { format?: string }): Promise<{ text(): string }>
  insert(block: EngineInsert): Promise<unknown>
  close(): void
}

/** Thrown when even the waiting room is full; the code is the engine's own for too many simultaneous queries. */
export class TooManyWaitingError extends Error {
  override readonly name = 'TooManyWaitingError'
  readonly clickhouseCode = 202
}

/** Sessions, each of which runs one query at a time, and the line of queries that wait for one. */
export class SessionPool {
  readonly #open: () => EngineSession
  readonly #size: number
  readonly #maxWaiting: number
  readonly #idle: EngineSession[] = []
  readonly #line: (() => void)[] = []
  #busy = 0

  constructor(open: () => EngineSession, size: number, maxWaiting: number) {
    this.#open = open
    this.#size = size
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs `work` on a session of its own, as soon as one is free. A query that failed or was killed leaves what it had
   * written so far in its session, where it would come out in front of the next answer: such a session is closed and
   * replaced (1.5 ms).
   *
   * @param signal aborted while waiting: leaves the line, rejects with its reason
   */
  async run<T>(work: (session: EngineSession) => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal)
    let session: EngineSession | undefined
    try {
      session = this.#idle.pop() ?? this.#open()
      const result = await work(session)
      this.#idle.push(session)
      return result
    } catch (error) {
      session?.close()
      throw error
    } finally {
      this.#busy -= 1
      this.#line.shift()?.()
    }
  }

  close(): void {
    for (const session of this.#idle.splice(0)) session.close()
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const start = () => {
        signal.removeEventListener('abort', leave)
        this.#busy += 1
        resolve()
      }
      const leave = () => {
        this.#line.splice(this.#line.indexOf(start), 1)
        reject(signal.reason)
      }
      if (this.#busy < this.#size) return start()
      if (this.#line.length >= this.#maxWaiting) {
        return reject(
          new TooManyWaitingError(`${this.#busy} queries are running and ${this.#line.length} are waiting.`),
        )
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#line.push(start)
    })
  }
}
