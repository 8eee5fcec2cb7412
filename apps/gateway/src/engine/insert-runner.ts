import { BlockRooms } from '../nodes/sql/block-rows.js'
import { STRICT, STRICT_NOW, wholeBlock } from '../nodes/sql/insert-settings.js'
import type { Jobs } from './jobs.js'
import type { SessionPool } from './session-pool.js'

/** One block, and where it goes. */
export interface RunnerInsert {
  readonly block: string
  /** `database.table`, of names that need no quotes. */
  readonly table: string
  readonly count: number
  /** Its rows, a line each. */
  readonly pieces: readonly Uint8Array[]
}

/** Writes blocks side by side, each with one insert. */
export class InsertRunner {
  readonly #pool: SessionPool
  readonly #jobs: Jobs
  readonly #rooms = new BlockRooms()
  /** Inserts that have not ended, by their blocks. */
  readonly #underWay = new Map<string, Map<string, Promise<unknown>>>()

  constructor(pool: SessionPool, jobs: Jobs) {
    this.#pool = pool
    this.#jobs = jobs
  }

  /** @param id letters and digits, unlike that of any other job */
  async run(id: string, { block, table, count, pieces }: RunnerInsert): Promise<void> {
    const inserted = this.#jobs.run(id, this.#pool, async (session, job) => {
      const rows = this.#rooms.take()
      const values = rows.of({ id: block, count, pieces })
      const settings = { ...STRICT, ...STRICT_NOW, ...wholeBlock(count), log_comment: id }
      try {
        await job.killable(() => session.insert({ table, format: 'JSONEachRow', values, settings }))
      } finally {
        this.#rooms.give(rows)
      }
    })
    const ofBlock = this.#underWay.get(block) ?? new Map()
    this.#underWay.set(block, ofBlock.set(id, inserted))
    try {
      await inserted
    } finally {
      ofBlock.delete(id)
      if (ofBlock.size === 0) this.#underWay.delete(block)
    }
  }

  /** Kills what writes this block, and fulfils when nothing does any more: what is there then is all that will be. */
  async settle(block: string): Promise<void> {
    const ofBlock = [...(this.#underWay.get(block) ?? [])]
    for (const [id] of ofBlock) this.#jobs.cancel(id)
    await Promise.allSettled(ofBlock.map(([, inserted]) => inserted))
  }
}
