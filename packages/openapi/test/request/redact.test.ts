import { redact } from '@sluice/openapi'
import { expect, test } from 'vitest'

const SECRET = 'us"r:5ecret/+'

test.each([
  ['as it is', SECRET],
  ['within JSON', JSON.stringify({ a: SECRET }).slice(6, -2)],
  ['within a URL', encodeURIComponent(SECRET)],
  ['as basic authentication has it', Buffer.from(SECRET).toString('base64')],
])('a secret is taken out %s', (_, form) => {
  expect(redact(`a ${form} b ${form}`, [SECRET])).toBe('a [redacted] b [redacted]')
})

test('out of every text of a structure, which stays as it is otherwise', () => {
  const value = { text: `x${SECRET}`, list: [SECRET, 1, null, { deep: 'other' }], yes: true }
  expect(redact(value, ['other1', SECRET])).toEqual({
    ...{ text: 'x[redacted]', list: ['[redacted]', 1, null, { deep: 'other' }], yes: true },
  })
  expect(value.list[0]).toBe(SECRET)
})

test('out of names too, and a password without its user', () => {
  expect(redact({ [`a ${SECRET}`]: 1, b: '5ecret/+' }, [SECRET])).toEqual({ 'a [redacted]': 1, b: '[redacted]' })
})

test('what is too short for a secret stays, and no secret changes nothing', () => {
  expect(redact('true or false', ['true', ''])).toBe('true or false')
  expect(redact('text', [])).toBe('text')
})
