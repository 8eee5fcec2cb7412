import type { TestClickHouse } from '../test/nodes/servers.js'
import type { GatewayProcess } from './gateway-process.js'
import { AUDITED_COLUMNS, type Audit, type FoundBatch, foundSql, Ledger, sumOf } from './ledger.js'
import { until } from './until.js'

const columns = AUDITED_COLUMNS
const partition = { column: 'day', by: 'day' } as const

/** Data sources of one gateway, what was sent to them, and how an engine is asked what it has. */
export class Stand {
  constructor(
    readonly name: string,
    readonly gateway: GatewayProcess,
    /** Asked directly. Without them the gateway's embedded engine is asked, by a pipe. */
    readonly servers: readonly TestClickHouse[],
    readonly ledgers: ReadonlyMap<string, Ledger>,
  ) {}

  /** One of a few servers that all have everything. */
  seenBy(server: TestClickHouse): Stand {
    return new Stand(this.name, this.gateway, [server], this.ledgers)
  }

  async define(plan: Readonly<Record<string, number>>): Promise<void> {
    const { api } = this.gateway
    for (const source of this.ledgers.keys()) {
      await api.define(source, { columns, partition, plan })
      if (this.servers.length > 0) continue
      const parameters = [{ name: 'least', type: 'UInt32', default: '1' }]
      await api.must('PUT', `/v1/pipes/all_of_${source}`, { sql: foundSql(source, '{least:UInt32}'), parameters })
    }
  }

  /** Until nothing waits. */
  async drained(mostMs = 120_000): Promise<void> {
    for (const source of this.ledgers.keys())
      await until(`all of ${source} is written`, async () => (await this.gateway.api.backlog(source)) === 0, mostMs)
  }

  /** What the engines have against what was sent, from batches on. */
  async audit(from?: ReadonlyMap<string, number>): Promise<Audit> {
    const audits: Audit[] = []
    for (const [source, ledger] of this.ledgers) {
      const least = from?.get(source) ?? 1
      audits.push(ledger.audit(await this.#found(source, least), least))
    }
    return sumOf(audits)
  }

  /** From here on. */
  mark(): ReadonlyMap<string, number> {
    return new Map([...this.ledgers].map(([source, { lastBatch }]) => [source, lastBatch + 1]))
  }

  async #found(source: string, least: number): Promise<FoundBatch[]> {
    if (this.servers.length > 0) {
      const sql = `${foundSql(`s_default__default.${source}`, String(least))} FORMAT JSONEachRow`
      const texts = await Promise.all(this.servers.map((server) => server.sql(sql)))
      return texts.flatMap((text) => (text === '' ? [] : text.split('\n').map((line) => foundOf(JSON.parse(line)))))
    }
    const text = await this.gateway.api.must('GET', `/v1/pipes/all_of_${source}?least=${least}`)
    return JSON.parse(text).data.map(foundOf)
  }
}

const foundOf = ({ batch, n, u }: Record<'batch' | 'n' | 'u', string>): FoundBatch => ({
  batch: Number(batch),
  rows: Number(n),
  distinct: Number(u),
})

/** One for each data source. */
export function ledgersOf(sources: readonly string[]): ReadonlyMap<string, Ledger> {
  return new Map(sources.map((source) => [source, new Ledger()]))
}
