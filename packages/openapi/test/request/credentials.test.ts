import { addPlaced, CredentialError, type Operation, placeToken, type SecurityScheme } from '@sluice/openapi'
import { describe, expect, test } from 'vitest'

const TOKEN = 'tok/5ecret'

const key = (place: 'header' | 'query' | 'cookie', parameter = 'X-Key'): SecurityScheme => ({
  ...{ type: 'apiKey', name: parameter, in: place, parameter },
})
const http = (scheme: string): SecurityScheme => ({ type: 'http', name: scheme, scheme })
const BEARER = http('bearer')
const CERTIFICATE: SecurityScheme = { type: 'mutualTLS', name: 'certificate' }

const operation = (security: readonly (readonly SecurityScheme[])[]): Operation => ({
  ...{ id: 'items', method: 'GET', path: '/items', summary: '', description: '', tags: [], deprecated: false },
  ...{ parameters: [], body: null, responses: {}, servers: [], retry: {}, defs: {}, security },
})

const placed = (security: readonly (readonly SecurityScheme[])[], given: HeadersInit = {}, token = TOKEN) =>
  placeToken(operation(security), token, new Headers(given))

const nowhere = { headers: {}, query: '' }
const as = (value: string) => ({ headers: { authorization: value }, query: '' })

describe('one scheme', () => {
  test.each<[string, SecurityScheme, object]>([
    ['bearer', BEARER, as(`Bearer ${TOKEN}`)],
    ['oauth2', { type: 'oauth2', name: 'o' }, as(`Bearer ${TOKEN}`)],
    ['openIdConnect', { type: 'openIdConnect', name: 'o' }, as(`Bearer ${TOKEN}`)],
    ['a scheme of somebody’s own', http('token'), as(`token ${TOKEN}`)],
    ['a header', key('header'), { headers: { 'x-key': TOKEN }, query: '' }],
    ['the query', key('query', 'a b'), { headers: {}, query: `a%20b=${encodeURIComponent(TOKEN)}` }],
    ['a cookie', key('cookie', 'sid'), { headers: { cookie: `sid=${encodeURIComponent(TOKEN)}` }, query: '' }],
    ['a certificate, which is the connection’s affair', CERTIFICATE, nowhere],
  ])('%s', (_, scheme, where) => expect(placed([[scheme]])).toEqual(where))

  test('basic is user:password, in any script', () => {
    expect(placed([[http('basic')]], {}, 'ann:pässword')).toEqual(
      as(`Basic ${Buffer.from('ann:pässword').toString('base64')}`),
    )
    expect(() => placed([[http('basic')]])).toThrow(
      new CredentialError('basic is basic authentication: write user:password'),
    )
  })
})

describe('alternatives', () => {
  test('none described: bearer, unless a header says who asks', () => {
    expect(placed([])).toEqual(as(`Bearer ${TOKEN}`))
    expect(placed([], { Authorization: 'mine' })).toEqual(nowhere)
  })

  test('none needed: nowhere, unless another takes a token', () => {
    expect(placed([[]])).toEqual(nowhere)
    expect(placed([[], [BEARER]])).toEqual(as(`Bearer ${TOKEN}`))
  })

  test('the first that one token completes, beside what is given', () => {
    const both = [key('header'), key('header', 'X-App')]
    expect(placed([both, [BEARER]])).toEqual(as(`Bearer ${TOKEN}`))
    expect(placed([both, [BEARER]], { 'X-App': 'a' })).toEqual({ headers: { 'x-key': TOKEN }, query: '' })
    expect(placed([[CERTIFICATE, BEARER]])).toEqual(as(`Bearer ${TOKEN}`))
    expect(placed([[http('digest')], [key('header')]])).toEqual({ headers: { 'x-key': TOKEN }, query: '' })
  })

  test('headers that are given have the last word', () => {
    expect(placed([[key('header')]], { 'x-key': 'mine' })).toEqual(nowhere)
    expect(placed([[BEARER]], { authorization: 'mine' })).toEqual(nowhere)
  })

  test('one token is not enough', () => {
    expect(() => placed([[key('header'), key('query', 'app')], [http('digest')]])).toThrow(
      new CredentialError(
        'items wants X-Key and app, or digest, which one token cannot satisfy; give the rest in headers, or no token',
      ),
    )
  })
})

test('a token that no header carries is not shown; the query and a cookie carry any', () => {
  for (const security of [[], [[BEARER]], [[key('header')]]])
    expect(() => placed(security, {}, '5ecret\nx')).toThrow(
      new CredentialError('it holds characters that a header cannot carry: a line break in the middle, perhaps'),
    )
  expect(placed([[key('query', 'k')]], {}, 'ü\n').query).toBe('k=%C3%BC%0A')
  expect(placed([[key('cookie', 'k')]], {}, 'ü;').headers).toEqual({ cookie: 'k=%C3%BC%3B' })
})

test('a placed credential leaves the rest of a URL and other cookies as they are', () => {
  const headers = new Headers({ cookie: 'theme=dark' })
  expect(addPlaced(placed([[key('query', 'k')]], {}, 'v'), 'https://a.test/x?q=a%20b,c', headers)).toBe(
    'https://a.test/x?q=a%20b,c&k=v',
  )
  expect(addPlaced(placed([[key('cookie', 'k')]], {}, 'v'), 'https://a.test/x', headers)).toBe('https://a.test/x')
  expect(addPlaced(placed([[BEARER]], {}, 'v'), 'https://a.test/x', headers)).toBe('https://a.test/x')
  expect(Object.fromEntries(headers)).toEqual({ cookie: 'theme=dark; k=v', authorization: 'Bearer v' })
})
