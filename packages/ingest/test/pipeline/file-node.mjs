import { appendFile, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOfBlock } from '@sluice/ingest'

/** The blocks in a file, each a line; one that was never finished is none. */
export async function blocksIn(path) {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
}

/** A node that outlives the process: a file. Between the write and its answer there is time to be killed. */
export const fileNode = (path) => ({
  name: 'file',
  ping: async () => {},
  insert: async (block) => {
    await appendFile(path, `\n${JSON.stringify({ ...block, lines: undefined, rows: rowsOfBlock(block) })}\n`)
    await sleep(3)
  },
  hasBlock: async ({ id }) => (await blocksIn(path)).some((block) => block.id === id),
  activeParts: async () => null,
})
