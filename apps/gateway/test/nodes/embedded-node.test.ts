import { readlinkSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogFields } from '@sluice/gateway'
import { EmbeddedNode, type EmbeddedNodeOptions } from '@sluice/gateway/nodes'
import { expect, it } from 'vitest'
import { createTableSql } from '../../src/nodes/sql/table-sql.js'
import { clicks, describeStoreNode, SLOW_VIEW, slow } from './store-node.contract.js'

let folder = ''
let workingFolder = ''
const log: { readonly message: string; readonly fields: LogFields }[] = []

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
  folder = await realpath(dataDir)
  const pids: unknown[] = []
  const line = (message: string, fields: LogFields = {}) => {
    log.push({ message, fields })
    if (message !== 'engine ready') return
    pids.push(fields.pid)
    workingFolder = readlinkSync(`/proc/${fields.pid}/cwd`)
  }
  const logger = { info: line, warn: line, error: line }
  const options: EmbeddedNodeOptions = {
    name: 'own-1',
    dataDir,
    sessions: 4,
    maxWaiting: 64,
    tenants: ['acme', 'acme_'],
    datasets: [],
    logger,
  }
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

it('runs in its own folder, so that no config.xml of a server beside the gateway is taken for its own', () => {
  expect(workingFolder).toBe(folder)
})

it('names itself in all of its log lines', () => {
  const messages = log.map(({ message }) => message)
  expect(messages).toEqual(expect.arrayContaining(['engine ready', 'engine ended, starting it again']))
  expect(log.filter(({ fields }) => fields.node !== 'own-1')).toEqual([])
})
