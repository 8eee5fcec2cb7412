import { expect, test } from 'vitest'
import { canBeToken, tabToken } from '../src/token/keep-token.js'

/** A tab that was opened at an address. */
function tab(hash: string, kept?: string) {
  const store = new Map(kept === undefined ? [] : [['sluice-console-token', kept]])
  const addresses: string[] = []
  const place = {
    location: { hash, pathname: '/', search: '?q=1' },
    history: { replaceState: (_: unknown, __: string, url: string) => addresses.push(url) },
    sessionStorage: {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
      removeItem: (key: string) => store.delete(key),
    },
  } as unknown as Window // as much of it as is used
  return { token: tabToken(place).take(), addresses, kept: [...store.values()] }
}

test.each([
  ['#token=abc', 'abc'],
  ['#token=a+b/c~d==', 'a+b/c~d=='], // all of it may be in a token, and a plus is no space
  ['#token=a%2Bb%2fc%3D', 'a+b/c='],
  ['#token=%E0%A4%A', '%E0%A4%A'],
  ['#a=1&token=abc&b=2', 'abc'],
])('the token of %s is %s, kept and taken out of the address', (hash, token) => {
  expect(tab(hash, 'older')).toEqual({ token, addresses: ['/?q=1'], kept: [token] })
})

test('an empty one is none, and what is no token leaves alone the one that is kept', () => {
  expect(tab('#token=', 'older')).toEqual({ token: null, addresses: ['/?q=1'], kept: [] })
  for (const hash of ['', '#', '#limit', '#mytoken=abc'])
    expect(tab(hash, 'older')).toEqual({ token: 'older', addresses: [], kept: ['older'] })
  expect(tab('').token).toBeNull()
})

test('where the browser forbids to keep anything, it is kept in memory, and out of the address all the same', () => {
  const addresses: string[] = []
  const location = { hash: '#token=abc', pathname: '/', search: '' }
  const place = {
    location,
    history: { replaceState: (_: unknown, __: string, url: string) => addresses.push(url) },
    get sessionStorage(): Storage {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
  } as unknown as Window // as above
  const token = tabToken(place)
  expect([token.take(), addresses]).toEqual(['abc', ['/']])
  location.hash = '#limit'
  expect(token.take()).toBe('abc')
  token.keep('def')
  expect(token.take()).toBe('def')
  token.forget()
  expect(token.take()).toBeNull()
})

test.each([
  ['abc-._~+/==', true],
  ['…', false], // as documents print it
  ['two words', false],
  ['ü', false],
  ['a\nb', false],
  ['=', false],
])('%j can be a token: %s', (text, can) => expect(canBeToken(text)).toBe(can))
