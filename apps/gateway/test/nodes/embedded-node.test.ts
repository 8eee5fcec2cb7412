import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedNode, type EmbeddedNodeOptions } from '@sluice/gateway/nodes'
import { createTableSql } from '../../src/nodes/sql/table-sql.js'
import { clicks, describeStoreNode, SLOW_VIEW, slow } from './store-node.contract.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What the gateway fills a table by makes a view here: nothing else runs a statement of a test. */
const slowView = {
  table: 'slow_view',
  createSql: `CREATE MATERIALIZED VIEW slow_view ${SLOW_VIEW}`,
  load: async () => '',
}

/** A table as current servers get it: this engine is one of their versions, and would refuse what they do. */
const asOnServers = {
  table: 's_acme__web.as_on_servers',
  createSql: createTableSql({ ...clicks, source: 'acme/web/as_on_servers' }, 'MergeTree', [
    'non_replicated_deduplication_window = 1000',
  ]),
  load: async () => '',
}

describeStoreNode('an embedded node', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-embedded-'))
  const pids: unknown[] = []
  const logger = { ...silent, info: (_: string, { pid }: { pid?: unknown } = {}) => void pids.push(pid) }
  const options: EmbeddedNodeOptions = { dataDir, sessions: 4, maxWaiting: 64, datasets: [], logger }
  const first = new EmbeddedNode(options)
  await first.start()
  await first.define(slow, new AbortController().signal)
  await first.close()
  const node = new EmbeddedNode({ ...options, datasets: [slowView, asOnServers] })
  await node.start()
  return {
    node,
    crash: async () => void process.kill(Number(pids.at(-1)), 'SIGKILL'),
    close: async () => {
      await node.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
})
