import { readdirSync } from 'node:fs'
import { type FaultPoint, Spool } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { bytesOf, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()
const read = async (spool: Spool): Promise<string[]> => {
  const all: string[] = []
  for await (const { payload } of spool.records()) all.push(textOf(payload))
  return all
}

describe('I4: what was refused is cut off before anything is appended; where that fails it may be there', () => {
  test.each<[string, FaultPoint[], FaultPoint[], string[], number]>([
    ['not written to the disk', ['before write'], [], ['one', 'three'], 1],
    ['written, and not put on disk', ['before sync'], [], ['one', 'three'], 1],
    ['put on disk, as nobody was told', ['after sync'], [], ['one', 'three'], 1],
    ['not cut off at once', ['before sync', 'before truncate'], [], ['one', 'three'], 1],
    ['never cut off', ['before sync'], ['before truncate'], ['one', 'two', 'three'], 2],
  ])('%s', async (_, once, always, expected, segments) => {
    const path = folder()
    let isBad = false
    const fault = (point: FaultPoint): void => {
      if (always.includes(point) || (isBad && once.includes(point))) throw new Error('EIO')
    }
    const spool = await Spool.open(path, { groupMs: 0, fault })
    await spool.append('a', bytesOf('one'))
    isBad = true
    await expect(spool.append('a', bytesOf('two'))).rejects.toThrow('EIO')
    isBad = false
    await spool.append('a', bytesOf('three'))
    await spool.close()
    expect(readdirSync(path)).toHaveLength(segments)
    const again = await Spool.open(path)
    const found = await read(again)
    await again.close()
    expect(found).toEqual(expected)
  })
})

test('I4: what was refused, and could not be cut off then, is cut off when the spool closes', async () => {
  const path = folder()
  let isBad = false
  const fault = (point: FaultPoint): void => {
    if (isBad && ['after write', 'before truncate'].includes(point)) throw new Error('EIO')
  }
  const spool = await Spool.open(path, { groupMs: 0, fault })
  await spool.append('a', bytesOf('one'))
  isBad = true
  await expect(spool.append('a', bytesOf('two'))).rejects.toThrow('EIO')
  isBad = false
  await spool.close()
  const again = await Spool.open(path)
  expect(await read(again)).toEqual(['one'])
  await again.close()
})
