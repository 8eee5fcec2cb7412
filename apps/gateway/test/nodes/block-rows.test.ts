import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BlockRooms, BlockRows } from '../../src/nodes/sql/block-rows.js'

const row = fc
  .record({
    members: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    space: fc.constantFrom('', ' ', '\t'),
  })
  .map(({ members, space }) => `${space}{${space}${JSON.stringify(members).slice(1)}${space}`)

/** The rows in so many pieces, or fewer. */
const pieces = (rows: readonly string[], count: number) => {
  const each = Math.ceil(rows.length / count)
  const cuts = Array.from({ length: Math.ceil(rows.length / each) }, (_, i) => rows.slice(i * each, (i + 1) * each))
  return cuts.map((own) => Buffer.from(own.join('\n')))
}

it('puts the block’s id into every row and changes nothing else', () => {
  const blockRows = new BlockRows()
  const id = fc.oneof(fc.uuid(), fc.string({ minLength: 1 }), fc.constantFrom("$&$'$1", 'größer'))
  fc.assert(
    fc.property(id, fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 5 }), (id, rows, many) => {
      const written = blockRows.of({ id, count: rows.length, pieces: pieces(rows, many) }).toString()
      const expected = rows.map((it) => ({ _block: id, ...JSON.parse(it) }))
      expect(written.endsWith('\n')).toBe(true)
      expect(
        written
          .trimEnd()
          .split('\n')
          .map((it) => JSON.parse(it)),
      ).toEqual(expected)
    }),
  )
})

it('goes through all rows at once where they are as nearly all are, with the same outcome', () => {
  const rows = ['{"a":"größer \\n{\\"","b":1}', '{"a":"€"}']
  const text = new BlockRows().of({ id: 'b-1', count: 2, pieces: pieces(rows, 2) }).toString()
  expect(text).toBe('{"_block":"b-1","a":"größer \\n{\\"","b":1}\n{"_block":"b-1","a":"€"}\n')
})

it('lays blocks out in room that it has, unless they are large', () => {
  const blockRows = new BlockRows()
  const block = (bytes: number) => ({ id: 'b', count: 1, pieces: [Buffer.from(`{"a":"${'x'.repeat(bytes)}"}`)] })
  const rowOf = (bytes: number) => `{"_block":"b","a":"${'x'.repeat(bytes)}"}\n`
  const memory = [600, 5, 5_000_000, 600].map((bytes) => {
    const written = blockRows.of(block(bytes))
    expect(written.toString()).toBe(rowOf(bytes))
    return written.buffer
  })
  expect(memory.map((it) => memory.indexOf(it))).toEqual([0, 0, 2, 0])
})

it('keeps room for few blocks, however many were under way', () => {
  const rooms = new BlockRooms()
  const taken = Array.from({ length: 9 }, () => rooms.take())
  expect(new Set(taken).size).toBe(9)
  for (const it of taken) rooms.give(it)
  expect(Array.from({ length: 9 }, () => taken.includes(rooms.take()))).toEqual([
    ...Array(4).fill(true),
    ...Array(5).fill(false),
  ])
})
