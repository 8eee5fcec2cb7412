import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type IngestNode, IngestPipeline } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import { expect, test } from 'vitest'
import { killedAfter } from '../killed-child.js'
import { temporaryFolders } from '../spool/folders.js'

const folder = temporaryFolders()

test('I4: kill -9 under load, five times over: no acknowledged row is lost, and none is there twice', async () => {
  // It is JavaScript, since the process that is killed runs it without a compiler.
  const nodes: {
    fileNode(path: string): IngestNode
    blocksIn(path: string): Promise<{ id: string; rows: string[] }[]>
  } = await import(new URL('./file-node.mjs', import.meta.url).href)
  const path = folder()
  const [spoolFolder, file] = [join(path, 'spool'), join(path, 'rows')]
  mkdirSync(spoolFolder)
  const loader = fileURLToPath(new URL('./loader.mjs', import.meta.url))
  const acknowledged: string[] = []
  const kill = async (run: number): Promise<void> =>
    void acknowledged.push(...(await killedAfter(400 + 137 * run, loader, [spoolFolder, file, String(run)])))
  for (let run = 0; run < 5; run++) await kill(run)
  let spool = await Spool.open(spoolFolder)
  // The last one may have died between two blocks: once more, until one dies with a block under way.
  for (let run = 5; spool.claims.length === 0 && run < 10; run++) {
    await spool.close()
    await kill(run)
    spool = await Spool.open(spoolFolder)
  }
  expect(spool.claims.length).toBeGreaterThan(0)
  const pipeline = await IngestPipeline.start({ spool, nodes: [nodes.fileNode(file)] })
  expect(await pipeline.close(20_000)).toEqual({ rowsLeft: 0 })
  const rows = (await nodes.blocksIn(file)).flatMap((block) => block.rows)
  expect(new Set(rows).size).toBe(rows.length)
  expect(acknowledged.filter((row) => !new Set(rows).has(row))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(3000)
})
