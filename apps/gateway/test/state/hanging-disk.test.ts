import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { Ending } from '../../src/ending.js'
import { Ingest } from '../../src/ingest/ingest.js'
import { NodeWatch } from '../../src/notices/node-watch.js'
import { NoticeBoard } from '../../src/notices/notice-board.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-hanging-disk-'))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => void vi.restoreAllMocks())

const source = 'acme/default/clicks'
const clock = systemClock
const ingestWith = async (warn: (message: string, fields?: object) => void) => {
  const board = await NoticeBoard.open(undefined, () => 0)
  const logger = { info() {}, warn, error() {} }
  return Ingest.open({
    ...{
      folder: mkdtempSync(join(root, 'f-')),
      nodes: [],
      board,
      nodeWatch: new NodeWatch(board, [], clock),
      logger,
      clock,
    },
    ...{
      isolation: true,
      breaker: {},
      bounds: {},
      maxDataSources: 10,
      groupMs: 0,
      defineTimeoutMs: 1000,
      nowMs: () => 0,
    },
  })
}

it.each<[string, (ingest: Ingest) => Promise<void>]>([
  [
    'quarantine',
    ({ quarantine }) => quarantine.add(source, [{ row: '{', errors: [{ parameter: 'row', message: 'no' }] }]),
  ],
  ['keys', ({ keys }) => keys.add({ source, key: 'k', bodyHash: 'h', atMs: 0, accepted: 1, quarantined: 0 })],
])('what hangs as it is written to %s is not waited for at the end', async (what, write) => {
  const lines: object[] = []
  const ingest = await ingestWith((message, fields) => void lines.push({ message, ...fields }))
  const one = await open(root, 'r')
  await one.close()
  let comes = (): void => {}
  vi.spyOn(Object.getPrototypeOf(one) as FileHandle, 'appendFile').mockImplementationOnce(
    () => new Promise((resolve) => (comes = resolve)),
  )
  const written = write(ingest)
  await vi.waitUntil(() => comes.length === 1)
  const ending = new Ending(clock, { warn: (message, fields) => void lines.push({ message, ...fields }) })
  await ingest.close(0, ending)
  expect(lines).toEqual([{ message: 'not closed in time', what, ms: 500 }])
  expect(ending.isLate).toBe(true)
  comes()
  await written
  // It was slow, and has ended: nothing keeps the process from ending.
  await vi.waitUntil(() => !ending.isLate)
})

it('what ends in time is waited for, and what it says is said', async () => {
  const told: string[] = []
  const ending = new Ending(clock, { warn: (message) => void told.push(message) })
  await ending.inTime('it', 1000, Promise.resolve())
  await expect(ending.inTime('it', 1000, Promise.reject(new Error('EIO')))).rejects.toThrow('EIO')
  expect([told, ending.isLate]).toEqual([[], false])
})
