// Accepts batches as fast as they come, and says which rows were acknowledged, until it is killed.
import { IngestPipeline } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import { fileNode } from './file-node.mjs'

const [, , folder, file, run] = process.argv
const spool = await Spool.open(folder, { groupMs: 1, segmentBytes: 4000 })
const pipeline = await IngestPipeline.start({ spool, nodes: [fileNode(file)], flushIntervalMs: 10, maxRows: 40 })
let batch = 0
async function load(source) {
  for (;;) {
    const events = ['p', 'q', 'p'].map((partition, i) => ({ partition, row: `${run}-${source}-${batch}-${i}` }))
    batch++
    const verdict = await pipeline.accept(source, events)
    if (verdict.status === 202) process.stdout.write(events.map(({ row }) => `${row}\n`).join(''))
  }
}
await Promise.all(['a', 'a', 'b', 'c'].map(load))
