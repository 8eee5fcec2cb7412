import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf, type RowRange } from '../../src/pipeline/chunk.js'
import { joined } from '../../src/pipeline/lines.js'
import { encodePayload, type IngestEvent, type IngestLines, stretchesOf } from '../../src/pipeline/payload.js'
import { bytesOf, textOf } from '../spool/folders.js'

const row = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((it) => !it.includes('\n'))

test('chunks of a stretch are its rows, where they lie in the payload', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('p', 'q'), row), { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(fc.nat(12), { maxLength: 8 }),
      (rows, points) => {
        const { pieces, stretches } = encodePayload(rows.map(([partition, one]) => ({ partition, row: one })))
        const payload = new Uint8Array(Buffer.concat(pieces))
        expect(stretches).toEqual([...stretchesOf(payload)])
        for (const stretch of stretches) {
          const own = rows.filter(([partition]) => partition === stretch.partition).map(([, one]) => one)
          const cuts = points.filter((point) => point <= own.length).sort((a, b) => a - b)
          // Every second stretch between two points: some are left out.
          const ranges = cuts.flatMap((from, i): RowRange[] => {
            const to = cuts[i + 1]
            return i % 2 === 0 && to !== undefined ? [[from, to]] : []
          })
          const chunks = [...chunksOf(7, stretch, ranges)]
          expect(chunks.map(({ from, to }) => [from, to])).toEqual(ranges)
          for (const { from, to, offset, bytes, lines } of chunks) {
            const expected = own.slice(from, to).join('\n')
            expect(textOf(payload.subarray(offset, offset + bytes))).toBe(expected)
            expect(lines && textOf(lines)).toBe(expected)
          }
        }
      },
    ),
  )
})

test('joined they are lines again', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 9 }), (rows) => {
      expect(textOf(joined(rows.map(bytesOf)))).toBe(rows.join('\n'))
    }),
  )
})

test('events that are lines already are as those of one text each, in the order in which they came', () => {
  const part = fc.tuple(fc.constantFrom('p', 'q'), fc.array(row, { minLength: 1, maxLength: 4 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const texts = parts.flatMap(([partition, rows]) => rows.map((one) => ({ partition, row: one })))
      const mixed = parts.flatMap(([partition, rows, areLines]): (IngestEvent | IngestLines)[] =>
        areLines
          ? [{ partition, lines: bytesOf(rows.join('\n')), count: rows.length }]
          : rows.map((one) => ({ partition, row: one })),
      )
      const { pieces, bytes, stretches } = encodePayload(mixed, 'n')
      expect(textOf(Buffer.concat(pieces))).toBe(textOf(Buffer.concat(encodePayload(texts, 'n').pieces)))
      expect(bytes).toBe(Buffer.concat(pieces).length)
      expect(stretches.reduce((sum, { count }) => sum + count, 0)).toBe(texts.length)
    }),
  )
})

test.each([
  ['', 0],
  ['', 1],
  ['a', 0],
  ['a', 2],
  ['a\nb', 1],
  ['\na', 2],
  ['a\n', 2],
  ['a\n\nb', 3],
  ['a', '1'],
  ['a', undefined],
])('%j is no %j lines', (text, count) => {
  const lines = { partition: 'p', lines: bytesOf(text), count } as IngestLines
  expect(() => encodePayload([lines])).toThrow(
    'events[0].count must be the number of its lines, none of which is empty',
  )
})
