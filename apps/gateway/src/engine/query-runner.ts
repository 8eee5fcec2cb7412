import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildAnswer } from '../nodes/embedded/messages.js'
import { bindStatement, killStatement } from './bind.js'
import type { ControlSession } from './control-session.js'
import type { EngineSession, SessionPool } from './session-pool.js'

/** ClickHouse's JSON form, as far as it is touched here. */
interface EngineJson {
  readonly rows: number
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number }
}

/** A kill that came before the engine had registered the query finds nothing: it is repeated until the query ends. */
const KILL_AGAIN_MS = 100

/** Runs queries side by side, measures them, and really stops the ones nobody waits for. */
export class QueryRunner {
  readonly #pool: SessionPool
  readonly #control: ControlSession
  readonly #jobs = new Map<string, AbortController>()

  constructor(pool: SessionPool, control: ControlSession) {
    this.#pool = pool
    this.#control = control
  }

  /** @param id letters and digits, unlike that of any other query that runs */
  async run(id: string, sql: string, params: Readonly<Record<string, string>>): Promise<ChildAnswer> {
    const receivedMs = performance.now()
    const job = new AbortController()
    this.#jobs.set(id, job)
    try {
      const text = await this.#pool.run((session) => this.#execute(session, id, sql, params, job.signal), job.signal)
      return toAnswer(text, receivedMs)
    } finally {
      this.#jobs.delete(id)
    }
  }

  /** Takes a waiting query out of the line, kills a running one. An unknown id has already ended. */
  cancel(id: string): void {
    this.#jobs.get(id)?.abort(new Error('The query was cancelled.'))
  }

  /** Cancels everything and resolves when nothing runs any more. */
  async drain(): Promise<void> {
    for (const id of this.#jobs.keys()) this.cancel(id)
    while (this.#jobs.size > 0) await sleep(5)
  }

  async #execute(
    session: EngineSession,
    id: string,
    sql: string,
    params: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    await prepare(session, bindStatement(id, params))
    signal.throwIfAborted()
    const ended = new AbortController()
    const kill = () => void this.#killUntil(id, ended.signal)
    signal.addEventListener('abort', kill, { once: true })
    try {
      const result = await session.queryAsync(sql, { format: 'JSON' })
      return result.text()
    } finally {
      ended.abort()
      signal.removeEventListener('abort', kill)
    }
  }

  async #killUntil(id: string, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await this.#control.run(killStatement(id)).catch(() => undefined) // tried again below
      await sleep(KILL_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined) // the query has ended
    }
  }
}

/** A SET says nothing. If something comes out it is another query's, and this session must not serve anyone. */
async function prepare(session: EngineSession, statement: string): Promise<void> {
  const output = (await session.queryAsync(statement)).text()
  if (output !== '') throw new Error('The session held output of an earlier query.')
}

function toAnswer(text: string, receivedMs: number): ChildAnswer {
  const json = JSON.parse(text) as EngineJson // FORMAT JSON is the engine's own, documented shape
  const nodeElapsedMs = performance.now() - receivedMs
  const statistics = { ...json.statistics, node_elapsed: Number((nodeElapsedMs / 1000).toFixed(6)) }
  return {
    body: JSON.stringify({ ...json, statistics }),
    rows: json.rows,
    elapsedMs: json.statistics.elapsed * 1000,
    nodeElapsedMs,
  }
}
