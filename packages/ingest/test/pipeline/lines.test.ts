import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joined, someOf } from '../../src/pipeline/lines.js'
import { bytesOf, textOf } from '../spool/folders.js'

const row = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((it) => !it.includes('\n'))

test('some of many lines are those, and one behind the last is none of them', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 9 }), fc.nat(10), fc.nat(10), (rows, from, more) => {
      const to = from + 1 + more
      const found = someOf(bytesOf(rows.join('\n')), from, to)
      expect(found && textOf(found)).toBe(to > rows.length ? undefined : rows.slice(from, to).join('\n'))
    }),
  )
})

test('joined they are lines again', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 9 }), (rows) => {
      expect(textOf(joined(rows.map(bytesOf)))).toBe(rows.join('\n'))
    }),
  )
})
