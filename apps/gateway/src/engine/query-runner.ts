import type { ChildAnswer, Row } from '../nodes/embedded/messages.js'
import type { Place } from '../nodes/embedded/tenant-role.js'
import { OWN_ROLE } from './access.js'
import { bindStatement } from './bind.js'
import type { Jobs } from './jobs.js'
import type { EngineSession, SessionPool } from './session-pool.js'

/** ClickHouse's JSON form, as far as it is touched here. */
interface EngineJson {
  readonly data: readonly Row[]
  readonly rows: number
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number }
}

/** Of a session that was just opened. */
const OWN: Place = { database: 'default', role: OWN_ROLE }

/** One query of a pool. */
export interface RunnerQuery {
  readonly sql: string
  readonly params: Readonly<Record<string, string>>
  /** Default: the gateway's own. */
  readonly place?: Place
}

/** Runs queries side by side, and measures them. */
export class QueryRunner {
  readonly #pool: SessionPool
  readonly #jobs: Jobs
  /** Of sessions that left the first one. */
  readonly #places = new WeakMap<EngineSession, Place>()

  constructor(pool: SessionPool, jobs: Jobs) {
    this.#pool = pool
    this.#jobs = jobs
  }

  /** @param id letters and digits, unlike that of any other job */
  async run(id: string, query: RunnerQuery): Promise<ChildAnswer> {
    const receivedMs = performance.now()
    return toAnswer(await this.#text(id, query), receivedMs)
  }

  /** The same for what the gateway asks for itself. A statement that answers nothing has no rows. */
  async rows(id: string, sql: string): Promise<readonly Row[]> {
    const text = await this.#text(id, { sql, params: {} })
    return text === '' ? [] : (JSON.parse(text) as EngineJson).data // FORMAT JSON is the engine's own, documented shape
  }

  #text(id: string, { sql, params, place = OWN }: RunnerQuery): Promise<string> {
    return this.#jobs.run(id, this.#pool, async (session, job) => {
      await prepare(session, bindStatement(id, params))
      const { database, role } = this.#places.get(session) ?? OWN
      if (role !== place.role) await prepare(session, `SET ROLE ${place.role}`) // first: it decides on databases
      if (database !== place.database) await prepare(session, `USE \`${place.database}\``)
      this.#places.set(session, place)
      const result = await job.killable(() => session.queryAsync(sql, { format: 'JSON' }))
      return result.text()
    })
  }
}

/** A SET or USE says nothing. If something comes out it is another query's, and this session must not serve anyone. */
async function prepare(session: EngineSession, statement: string): Promise<void> {
  const output = (await session.queryAsync(statement)).text()
  if (output !== '') throw new Error('The session held output of an earlier query.')
}

function toAnswer(text: string, receivedMs: number): ChildAnswer {
  const json = JSON.parse(text) as EngineJson // as above
  const nodeElapsedMs = performance.now() - receivedMs
  const statistics = { ...json.statistics, node_elapsed: Number((nodeElapsedMs / 1000).toFixed(6)) }
  return {
    body: JSON.stringify({ ...json, statistics }),
    rows: json.rows,
    elapsedMs: json.statistics.elapsed * 1000,
    nodeElapsedMs,
  }
}
