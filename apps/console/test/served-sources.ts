import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ClientBuilder, type GatewayClient, unwrap } from '@sluice/client'
import { startGateway } from '@sluice/gateway'

const SECRETS = {
  admin: 'token-that-may-all-things',
  owner: 'token-of-an-owner-of-all',
  reader: 'token-that-only-reads',
}

/** The built console, served by a real gateway that keeps events: two engines, and a server that is not there. */
export interface ServedSources {
  /** Of a token that may everything. */
  readonly client: GatewayClient
  address(token: keyof typeof SECRETS): string
  /** More inserts than the engine can do soon: the data source's breaker opens, for three seconds. */
  overload(name: string): Promise<void>
  close(): Promise<void>
}

const COLUMNS = [
  { name: 'number', type: 'UInt32' },
  { name: 'day', type: 'Date' },
] as const

export async function serveSources(names: readonly string[]): Promise<ServedSources> {
  const spoolDir = mkdtempSync(join(tmpdir(), 'sluice-console-'))
  const gateway = await startGateway({
    tokens: [
      { name: 'admin', token: SECRETS.admin, scopes: ['admin'] },
      { name: 'owner', token: SECRETS.owner, scopes: ['owner:*'] },
      { name: 'reader', token: SECRETS.reader, scopes: ['read:*'] },
    ],
    plans: { default: { ratePerSecond: 1000, burst: 1000 } },
    consoleDir: fileURLToPath(new URL('../dist', import.meta.url)),
    ...{ spoolDir, datasets: [], pipes: [], shutdownGraceMs: 100 },
    embedded: 2,
    nodes: [{ name: 'away', url: 'http://127.0.0.1:9' }],
    breaker: { holdMs: 3000 },
  })
  const client = new ClientBuilder(gateway.url).bearer(SECRETS.admin).build()
  for (const name of names) {
    const plan = { flush_interval_ms: 50, requests_per_second: 1000, burst: 1000, rows_per_second: 100_000 }
    const body = { columns: [...COLUMNS], partition: { column: 'day', by: 'day' as const }, plan }
    await unwrap(client.putDataSource({ path: { name }, body }))
    await unwrap(client.putRoute({ path: { name }, body: { node: 'clickhouse-1' } }))
  }
  return {
    client,
    address: (token) => `${gateway.url}/#token=${SECRETS[token]}`,
    async overload(name) {
      const days = Array.from({ length: 500 }, (_, number) => ({
        number,
        day: new Date(number * 86_400_000).toISOString().slice(0, 10),
      }))
      await unwrap(client.sendEvents({ path: { name }, body: days }))
    },
    async close() {
      await gateway.close()
      rmSync(spoolDir, { recursive: true, force: true })
    },
  }
}
