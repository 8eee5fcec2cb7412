import { describe, expect, test } from 'vitest'
import { serveSnippet } from './snippet-service.js'
import { patternOf, run, snippetsOf } from './snippets.js'

const block = (tag: string, ...lines: string[]): string => ['```'.concat(tag), ...lines, '```', ''].join('\n')

describe('programs are found in a page', () => {
  test('with their output in each scenario, up to the next program or heading', () => {
    const page = [
      block('sh', 'npm install'),
      block('ts', 'one()'),
      'It prints:',
      block('text', '1', '2'),
      block('text throttled', 'later'),
      block('ts', 'two()'),
      '## A heading',
      block('text', 'a drawing'),
    ].join('\n')
    expect(snippetsOf(page, 'page.md')).toEqual([
      {
        line: 5,
        tag: 'ts',
        code: 'one()',
        runs: [
          { scenario: 'recovers', prints: '1\n2' },
          { scenario: 'throttled', prints: 'later' },
        ],
      },
      { line: 19, tag: 'ts', code: 'two()', runs: [{ scenario: 'recovers', prints: null }] },
    ])
  })

  test('in a list too, and with fences shown inside a longer fence', () => {
    const page = ['- A step:', '', '  ```ts', '  one()', '    .two()', '  ```', '````md', '```ts', '````'].join('\n')
    expect(snippetsOf(page, 'page.md')).toMatchObject([{ line: 3, code: 'one()\n  .two()' }])
  })

  test.each([
    ['has none', 'Nothing here.', 'page.md: no `ts` block to run'],
    ['tags one in another way', block('js', '1'), 'page.md:1: tag this block `ts`, or it is not run; got `js`'],
    ['leaves one open', 'Text\n```ts\n1\n', 'page.md:2: this block is never closed'],
  ])('a page that %s is refused', (_, page, message) => {
    expect(() => snippetsOf(page, 'page.md')).toThrow(message)
  })
})

test('`…` in an output stands for what differs, within a line; everything else is literal', () => {
  const pattern = patternOf('{ a: 1… } (x)\nb')
  expect(
    ['{ a: 187 } (x)\nb', '{ a: 287 } (x)\nb', '{ a: 1\n } (x)\nb', '{ a: 1 } x\nb', '{ a: 1 } (x)\nb\nc'].map((o) =>
      pattern.test(o),
    ),
  ).toEqual([true, false, false, false, false])
})

describe('a program', () => {
  test('is TypeScript with imports, knows its service, and shows another address for it', async () => {
    const { url, received } = await serveSnippet('recovers')
    const code = `import { createFetch, type SluiceFetch } from '@sluice/fetch'
      const fetch: SluiceFetch = createFetch()
      const response = await fetch(\`\${process.env.API_URL}/orders/1\`)
      console.log(response.status, response.url)`
    expect(await run({ code }, url)).toBe('200 https://api.example.com/orders/1')
    expect(received.length).toBe(2)
  })

  test('that fails is told with what it wrote to stderr', async () => {
    await expect(run({ code: `throw new Error('broken')` }, '')).rejects.toThrow(/ended with 1:[\s\S]*Error: broken/)
  })

  test('may ask for a scenario that there is', () => {
    expect(() => serveSnippet('sunny')).toThrow('no scenario is called sunny; there are: recovers, throttled, busy')
  })
})
