import { setTimeout as sleep } from 'node:timers/promises'
import type { Block } from '@sluice/ingest'
import { bounded } from '../bounded.js'
import { BlockRooms } from '../sql/block-rows.js'
import type { RunSql } from '../sql/define-table.js'
import { STRICT, STRICT_NOW, wholeBlock } from '../sql/insert-settings.js'
import { literal } from '../sql/literal.js'
import { quoted, type TableName } from '../sql/table-name.js'
import { ANSWER_AFTER_KILL_MS, kill, killUntil, type Run } from './kill.js'
import { ServerLink } from './server-link.js'
import type { ServerNodeOptions } from './server-options.js'
import type { ServerVersion } from './server-version.js'
import { WHOLE_BODY, wholeBody } from './whole-body.js'

const LOOK_AGAIN_MS = 50

/** One insert that was sent and has not been answered. */
interface Sent {
  readonly answered: Promise<unknown>
  /** Its connection, which carries nothing else. */
  readonly link: ServerLink
}

/**
 * Writes blocks to a server, each on a connection that is its own meanwhile. An insert that nobody waits for any more keeps
 * it: were it closed, nobody could tell any longer whether the rest of the request still arrives.
 */
export class BlockWriter {
  readonly #options: ServerNodeOptions
  readonly #run: Run
  readonly #idle: ServerLink[] = []
  readonly #rooms = new BlockRooms()
  readonly #links = new Set<ServerLink>()
  readonly #sent = new Map<string, Set<Sent>>()

  /** @param run on another connection */
  constructor(options: ServerNodeOptions, run: Run) {
    this.#options = options
    this.#run = run
  }

  /** @throws EngineError, NotSentError; the signal's reason, and whatever else, where nobody knows what became of it */
  async write(
    { id, count, pieces }: Block,
    table: TableName,
    version: ServerVersion,
    signal: AbortSignal,
  ): Promise<void> {
    const link = this.#take()
    const rows = this.#rooms.take()
    const queryId = `${prefixOf(id)}${crypto.randomUUID()}`
    const text = rows.of({ id, count, pieces })
    const own = version.isCurrent ? { ...STRICT_NOW, insert_deduplication_token: id } : WHOLE_BODY
    const answered = link.text({
      sql: `INSERT INTO ${quoted(table)} FORMAT JSONEachRow`,
      body: version.isCurrent ? [text] : wholeBody(text),
      settings: { ...STRICT, ...wholeBlock(count), ...own },
      queryId,
    })
    const ofBlock = this.#sent.get(id) ?? new Set()
    const sent = { answered, link }
    this.#sent.set(id, ofBlock.add(sent))
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      ofBlock.delete(sent)
      if (ofBlock.size === 0 && this.#sent.get(id) === ofBlock) this.#sent.delete(id)
      this.#rooms.give(rows)
      this.#idle.push(link)
    }
    answered.then(end, end)
    await bounded(answered, () => void killUntil(this.#run, queryId, ended.signal), { signal })
  }

  /**
   * Ends what still writes a block, so that it cannot be written afterwards: by an insert of this process, or of one before.
   * @throws the signal's reason, what the server refuses, where that is not sure yet
   */
  async settle(id: string, run: RunSql, signal: AbortSignal): Promise<void> {
    await kill(this.#run, prefixOf(id), signal)
    for (const { answered, link } of [...(this.#sent.get(id) ?? [])]) {
      // The server answers others by now: what it does not answer here, it does not have, or will not be able to tell.
      const cut = setTimeout(() => link.reset(), ANSWER_AFTER_KILL_MS)
      const settled = answered.then(
        () => undefined,
        () => undefined,
      )
      await bounded(settled, () => undefined, { signal }).finally(() => clearTimeout(cut))
    }
    const running = `SELECT count() AS count FROM system.processes WHERE position(query_id, ${literal(prefixOf(id))}) = 1`
    while (Number((await run(running))[0]?.count) > 0) {
      await kill(this.#run, prefixOf(id), signal)
      await sleep(LOOK_AGAIN_MS, undefined, { signal })
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.close()))
  }

  #take(): ServerLink {
    const link = this.#idle.pop() ?? new ServerLink(this.#options, 1)
    this.#links.add(link)
    return link
  }
}

function prefixOf(block: string): string {
  return `sluice_block_${block}_`
}
