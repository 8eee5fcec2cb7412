import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockRows } from '../../src/nodes/sql/block-rows.js'

const row = fc
  .record({
    members: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    space: fc.constantFrom('', ' ', '\t'),
  })
  .map(({ members, space }) => `${space}{${space}${JSON.stringify(members).slice(1)}${space}`)

it('puts the block’s id into every row and changes nothing else', () => {
  const id = fc.oneof(fc.uuid(), fc.string({ minLength: 1 }), fc.constantFrom("$&$'$1", 'größer'))
  fc.assert(
    fc.property(id, fc.array(row, { minLength: 1, maxLength: 5 }), (id, rows) => {
      const written = blockRows({ id, count: rows.length, lines: Buffer.from(rows.join('\n')) }).toString()
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
  const text = blockRows({ id: 'b-1', count: 2, lines: Buffer.from(rows.join('\n')) }).toString()
  expect(text).toBe('{"_block":"b-1","a":"größer \\n{\\"","b":1}\n{"_block":"b-1","a":"€"}\n')
})
