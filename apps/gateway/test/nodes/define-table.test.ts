import { expect, it } from 'vitest'
import { defineTable, type RunSql } from '../../src/nodes/sql/define-table.js'
import { clicks } from './store-node.contract.js'

it('a table that a node says it has made, and has no definition of, is taken back', async () => {
  const said: string[] = []
  // As chdb 26.7 and a disk that is full.
  const run: RunSql = async (sql) => {
    said.push(sql)
    return sql.includes('create_table_query') ? [{ sql: '' }] : []
  }
  const made = defineTable(run, clicks, { engine: 'MergeTree', settings: [] })
  await expect(made).rejects.toMatchObject({
    name: 'NotKeptError',
    message: 'The definition of `s_acme__web`.`clicks` cannot be written (the node left it empty, as on a full disk)',
  })
  expect(said.filter((it) => /^(CREATE TABLE|DROP)/.test(it)).map((it) => it.split(' (')[0])).toEqual([
    'CREATE TABLE IF NOT EXISTS `s_acme__web`.`clicks`',
    'DROP TABLE `s_acme__web`.`clicks` SYNC',
  ])
})
