import { expect, test } from 'vitest'
import { rowsOfLines } from '../../src/pipeline/rows-of-lines.js'
import { bytesOf } from '../spool/folders.js'
import { named, stand } from './stand.js'

test('an export is read from the spool as far as it is taken, a piece of a record at a time', async () => {
  const it = await stand(['n1'], { maxRows: 100, maxMemoryBytes: 0 })
  it.pipeline.backlogs.pause('a')
  await it.send('a', named('row', 1000))
  const { bytes } = it.spool.backlog('a')
  it.spool.bytesRead = 0
  const exporting = it.pipeline.backlogs.export('a')
  expect(it.spool.bytesRead).toBe(0)
  expect((await exporting.next()).value).toEqual({ partition: 'p', row: 'row0' })
  expect(it.spool.bytesRead).toBeLessThan(bytes / 9)
  for (let i = 1; i < 100; i++) await exporting.next()
  expect(it.spool.bytesRead).toBeLessThan(bytes / 9)
  expect((await exporting.next()).value).toEqual({ partition: 'p', row: 'row100' })
  expect(it.spool.bytesRead).toBeGreaterThan(bytes / 9)
})

test('an export of what is in memory is held to what the disk gives, and leaves out what is dropped meanwhile', async () => {
  const it = await stand()
  const { backlogs } = it.pipeline
  backlogs.pause('a')
  await it.send('a', ['1'])
  await it.send('a', ['2'])
  const exporting = backlogs.export('a')
  expect((await exporting.next()).value).toEqual({ partition: 'p', row: '1' })
  await it.clock.run(backlogs.drop('a'))
  expect((await exporting.next()).done).toBe(true)
  await it.send('a', ['3'])
  for (const [sequence, record] of it.disk.records)
    it.disk.records.set(sequence, { ...record, payload: record.payload.map((byte) => (byte === 51 ? 52 : byte)) })
  await expect(backlogs.export('a').next()).rejects.toThrow('its disk gives others')
})

test('rows of lines are those that they were, however long', () => {
  const lengths = [1, 16_382, 16_383, 16_384, 16_385, 40_000, 2, 3]
  for (const letter of ['x', 'ä', '😀']) {
    const rows = [...lengths, ...lengths.reverse()].map((length) => letter.repeat(length))
    expect([...rowsOfLines(bytesOf(rows.join('\n')))]).toEqual(rows)
  }
  expect([...rowsOfLines(bytesOf(named('r', 9000).join('\n')))]).toEqual(named('r', 9000))
})
