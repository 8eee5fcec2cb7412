import { InsertError } from '@sluice/ingest'
import { describe, expect, it } from 'vitest'
import { DataSource } from '../../src/ingest/data-source.js'
import { DefiningNode } from '../../src/ingest/defining-node.js'
import { definitionSchema } from '../../src/ingest/definition.js'
import { Freshness } from '../../src/ingest/freshness.js'
import { EngineError } from '../../src/nodes/engine-error.js'
import type { StoreNode } from '../../src/nodes/store-node.js'

const definition = definitionSchema.parse({ columns: [{ name: 'id', type: 'UInt32' }] })
const source = new DataSource({ tenant: 'acme', dataset: 'web' }, 'clicks', definition, 0, new Freshness(), () => 0)
const block = { id: 'b', source: source.key, partition: 'all', count: 1, pieces: [new Uint8Array()] }
const { signal } = new AbortController()

/** A node, and how often it was told of a table. */
function nodeOf(node: Partial<StoreNode>) {
  let defined = 0
  const define = async () => void defined++
  const defining = new DefiningNode({ name: 'ch-1', state: 'up', define, ...node } as StoreNode, () => source) // what is asked of it here
  return { defining, defined: () => defined }
}

describe('a table that a node has lost', () => {
  it.each([60, 81])('is made again before the next try (code %i)', async (code) => {
    const cause = new EngineError('Code: 60. Table does not exist', code, 'q1')
    const outcomes: (Error | undefined)[] = [
      undefined,
      new InsertError('source', 'no such table', { cause }),
      undefined,
    ]
    const insert = async () => {
      const error = outcomes.shift()
      if (error) throw error
    }
    const { defining, defined } = nodeOf({ insert })
    await defining.insert(block, signal)
    await expect(defining.insert(block, signal)).rejects.toThrow('no such table')
    expect(defined()).toBe(1)
    await defining.insert(block, signal)
    expect([defined(), outcomes.length]).toEqual([2, 0])
  })

  it('is made where its data source was deleted and is defined again', async () => {
    const { defining, defined } = nodeOf({ insert: async () => {} })
    for (let i = 0; i < 2; i++) await defining.insert(block, signal)
    expect(defined()).toBe(1)
    defining.forget(source.key)
    await defining.insert(block, signal)
    expect(defined()).toBe(2)
  })

  it('is none where something else is wrong', async () => {
    const cause = new EngineError('Code: 27. Cannot parse', 27, 'q1')
    const { defining, defined } = nodeOf({ insert: () => Promise.reject(new InsertError('source', 'no', { cause })) })
    for (let i = 0; i < 2; i++) await expect(defining.insert(block, signal)).rejects.toThrow('no')
    expect(defined()).toBe(1)
  })
})

it('a disk that has no room for a table is said to be that, and is nobody else’s fault', async () => {
  const full = new EngineError('Code: 243. The disk of /data has 0 bytes left', 243, 'q1')
  const { defining } = nodeOf({ define: () => Promise.reject(full) })
  const said = 'The table of acme/web/clicks on ch-1 cannot be written (Code: 243. The disk of /data has 0 bytes left)'
  await expect(defining.define(source, signal)).rejects.toMatchObject({ name: 'NotKeptError', message: said })
  await expect(defining.insert(block, signal)).rejects.toMatchObject({ name: 'InsertError', fault: 'resources' })
})
