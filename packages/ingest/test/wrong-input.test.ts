// What a program without types may hand in: told by name, before anything is kept.
import { VirtualClock } from '@sluice/core/testing'
import { Gatherer, IngestPipeline, type PipelineOptions } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { MemorySpool } from './pipeline/memory-spool.js'
import { ScriptedNode } from './pipeline/scripted-node.js'
import { stand } from './pipeline/stand.js'
import { temporaryFolders } from './spool/folders.js'

const folder = temporaryFolders()
const as = <T>(value: unknown): T => value as T // as JavaScript has it

test('Spool: a text in place of bytes is not kept, and a folder that is not there is named with its remedy', async () => {
  const path = folder()
  const spool = await Spool.open(path)
  const wanted = 'Spool.append: payload must be a Uint8Array, or an array of them; got'
  await expect(spool.append('a', as('text'))).rejects.toThrow(`${wanted} "text"`)
  await expect(spool.append('a', as([new Uint8Array(), 'text']))).rejects.toThrow(wanted)
  await expect(spool.append(as(1), new Uint8Array(1))).rejects.toThrow('Spool.append: source must be a text; got 1')
  expect(spool.backlog().bytes).toBe(0)
  await spool.close()
  await expect(Spool.open(`${path}/none`)).rejects.toThrow(`there is no folder ${path}/none; make it first`)
  await expect(Spool.open(as(undefined))).rejects.toThrow(
    'Spool.open: folder must be the path of a folder; got undefined',
  )
})

describe('IngestPipeline', () => {
  const clock = new VirtualClock()
  const spool = new MemorySpool(clock)
  const node = new ScriptedNode('n', clock)
  test.each<[unknown, string]>([
    [{}, 'spool must be a Spool, or have all of its methods; got undefined'],
    [{ spool: {}, nodes: [node] }, 'spool must be a Spool, or have all of its methods; got a plain object'],
    [{ spool }, 'nodes must be an array of nodes; got undefined'],
    [{ spool, nodes: [null] }, 'nodes[0].name must be a text that is not empty; got undefined'],
    [{ spool, nodes: [node, { name: 'x' }] }, 'nodes[1].ping must be a function; got undefined'],
  ])('start(%o)', async (options, told) => {
    await expect(IngestPipeline.start(as<PipelineOptions>(options))).rejects.toThrow(`IngestPipeline.start: ${told}`)
  })

  test.each<[unknown, string]>([
    ['x', 'events must be an array of { partition, row }; got "x"'],
    [[null], 'events[0].row must be one line and not empty; got undefined'],
    [[{ partition: 'p', row: 1 }], 'events[0].row must be one line and not empty; got 1'],
    [[{ partition: 'p', row: 'x' }, { row: 'x' }], 'events[1].partition must be a text; got undefined'],
  ])('accept(%o)', async (events, told) => {
    const { pipeline, disk } = await stand()
    await expect(pipeline.accept('a', as(events))).rejects.toThrow(`IngestPipeline.accept: ${told}`)
    expect(disk.records.size).toBe(0)
  })
})

test('an option that there is not is told with all that there are', () => {
  expect(() => new Gatherer(as({ flushInterval: 1 }))).toThrow(
    'Gatherer: flushInterval must be left out: there is no such option; there are maxRows, maxBytes, flushIntervalMs, clock; got 1',
  )
})
