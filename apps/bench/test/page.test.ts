import { expect, it } from 'vitest'
import { withSections } from '../src/page.js'

const page =
  'Before.\n\n<!-- bench:start -->\n\nOld head.\n\n### a: one\n\nA\n\n### ab: two\n\nAB\n\n<!-- bench:end -->\n\nAfter.\n'

it('replaces the sections that were measured and leaves the others', () => {
  const sections = [
    { name: 'a', text: '### a: one\n\nnew' },
    { name: 'c', text: '### c: three\n\nC' },
  ]
  expect(withSections(page, 'Head.', sections)).toBe(
    'Before.\n\n<!-- bench:start -->\n\nHead.\n\n### a: one\n\nnew\n\n### ab: two\n\nAB\n\n### c: three\n\nC\n\n<!-- bench:end -->\n\nAfter.\n',
  )
})

it('does not guess where a page without marks begins', () => {
  expect(() => withSections('Before.\n<!-- bench:end -->', '', [])).toThrow('<!-- bench:start -->')
})
