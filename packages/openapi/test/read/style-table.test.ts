import { expect, test } from 'vitest'
import { requestOf } from '../../src/index.js'
import { operationOf } from './document.js'

const values = {
  empty: '',
  string: 'blue',
  array: ['blue', 'black', 'brown'],
  object: { R: 100, G: 200, B: 150 },
} as const

/** OpenAPI 3.1.1, "Style Examples": style, explode, then what each kind of value becomes; null is n/a there. */
const TABLE = [
  ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['label', false, null, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, null, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, null, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, null, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, null, null, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, null, null, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['deepObject', true, null, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
] as const

const rows = TABLE.flatMap(([style, explode, ...cells]) =>
  (Object.keys(values) as (keyof typeof values)[]).flatMap((kind, column) => {
    const expected = cells[column] ?? null
    return expected === null ? [] : [{ style, explode, kind, expected }]
  }),
)

const inPath = (style: string): boolean => ['matrix', 'label', 'simple'].includes(style)

test.each(rows)('$style, explode $explode, $kind: $expected', async ({ style, explode, kind, expected }) => {
  const place = inPath(style) ? 'path' : 'query'
  const operation = await operationOf(
    { parameters: [{ name: 'color', in: place, required: true, style, explode, schema: {} }] },
    place === 'path' ? '/x/{color}' : '/x',
  )
  const { url } = requestOf(operation, { color: values[kind] }, { baseUrl: 'https://a.example' })
  expect(url).toBe(`https://a.example/x${place === 'path' ? '/' : '?'}${expected}`)
})

test.each([
  { explode: false, value: values.object, expected: 'R,100,G,200,B,150' },
  { explode: true, value: values.object, expected: 'R=100,G=200,B=150' },
  { explode: false, value: values.array, expected: 'blue,black,brown' },
  { explode: false, value: '', expected: '' },
])('a header is simple, explode $explode: $expected', async ({ explode, value, expected }) => {
  const operation = await operationOf({ parameters: [{ name: 'X-Color', in: 'header', explode, schema: {} }] })
  expect(requestOf(operation, { 'X-Color': value }, { baseUrl: 'https://a.example' }).headers).toEqual({
    'x-color': expected,
  })
})

test('cookies are joined as RFC 6265 writes them', async () => {
  const operation = await operationOf({
    parameters: [
      { name: 'a', in: 'cookie', schema: { type: 'string' } },
      { name: 'b', in: 'cookie', explode: true, schema: { type: 'array' } },
      { name: 'c', in: 'cookie', explode: false, schema: { type: 'array' } },
    ],
  })
  const { headers } = requestOf(operation, { a: 'x; y', b: [1, 2], c: [3, 4] }, { baseUrl: 'https://a.example' })
  expect(headers).toEqual({ cookie: 'a=x%3B%20y; b=1; b=2; c=3,4' })
})

test('deepObject goes deeper, and takes lists, as most servers read them', async () => {
  const operation = await operationOf({
    parameters: [{ name: 'filter', in: 'query', style: 'deepObject', schema: {} }],
  })
  const filter = { a: { b: 1 }, c: [1, 2], d: [{ e: 1 }] }
  const { url } = requestOf(operation, { filter }, { baseUrl: 'https://a.example' })
  expect(decodeURIComponent(new URL(url).search)).toBe('?filter[a][b]=1&filter[c][]=1&filter[c][]=2&filter[d][0][e]=1')
})

test('allowReserved keeps what a value may hold, and what ends it is encoded all the same', async () => {
  const operation = await operationOf({ parameters: [{ name: 'q', in: 'query', allowReserved: true, schema: {} }] })
  const { url } = requestOf(operation, { q: "a/b?c=d&e#f+g %41:[x]'" }, { baseUrl: 'https://a.example' })
  expect(url).toBe('https://a.example/things?q=a/b?c=d%26e%23f%2Bg%20%41:%5Bx%5D%27')
})

test('a parameter described by content is written in its media type', async () => {
  const operation = await operationOf({
    parameters: [{ name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } }],
  })
  const { url } = requestOf(operation, { where: { id: [1] } }, { baseUrl: 'https://a.example' })
  expect(new URL(url).searchParams.get('where')).toBe('{"id":[1]}')
})
