// The programs in README.md are run, and its table of ends is what spec/surface-cases.json says.
import { readFileSync } from 'node:fs'
import { type SurfaceCase, surfaceTable } from '@sluice/conformance/surfaces'
import { expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'
import { run, snippetsOf } from '../../fetch/test/snippets.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The programs run in fetch's folder, where this package has no name. */
const withFiles = (code: string): string =>
  code.replaceAll(/'@sluice\/client(?:\/(\w+))?'/g, (_, name = 'index') =>
    JSON.stringify(new URL(`../dist/${name}.js`, import.meta.url).href),
  )

test('the programs print what the page says', async () => {
  const { url, received } = await serve((nth, response, { path }) => {
    if (nth === 1) response.writeHead(429, { 'retry-after': '1' }).end()
    else if (path === '/v1/pipes/delays?origin=ATL')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"data":[{"carrier":"DL","minutes":12}],"meta":[],"rows":1}')
    else response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"Unknown pipe"}')
  })
  const printed: string[] = []
  const snippets = snippetsOf(readme, 'README.md')
  for (const { code } of snippets) printed.push(await run({ code: withFiles(code) }, url))
  expect(printed).toEqual([snippets[0]?.runs[0]?.prints, 'https://api.example.com'])
  expect(received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer s3cret'))
})

const ROWS: readonly (readonly [id: string, when: string])[] = [
  ['throttled-stated', 'throttled to the last attempt, 5 s stated each time'],
  ['throttled-fail-fast', 'throttled, an hour stated'],
  ['throttled-unstated', 'throttled, nothing stated'],
  ['transient-status', '503 to the last attempt'],
  ['transient-status-unsafe', '503 to a POST'],
  ['connect', 'nobody listens'],
  ['timeout', 'no answer within the timeout'],
  ['status-problem', '404 with a problem document'],
]

const rowOf = ({ expect: { client, cli } }: SurfaceCase, when: string): string => {
  if (typeof client !== 'object' || client === null || !cli?.json) throw new Error(`nothing is thrown: ${when}`)
  const { status, retry_after_ms, attempts, reason, is_throttled } = client
  const cells = [
    when,
    `\`${cli.json.message}\``,
    status,
    retry_after_ms,
    attempts,
    `\`${reason}\``,
    is_throttled ? 'yes' : 'no',
  ]
  return `| ${cells.map((cell) => cell ?? 'null').join(' | ')} |`
}

test('the table of ends is the one of spec/surface-cases.json', () => {
  const { cases } = surfaceTable()
  const head = [
    '| the call was | message | status | retryAfterMs | attempts | reason | isThrottled |',
    '|---|---|---|---|---|---|---|',
  ]
  const rows = ROWS.map(([id, when]) => {
    const row = cases.find((one) => one.id === `surface-cases/${id}`)
    if (!row) throw new Error(`surface-cases has no row ${id}`)
    return rowOf(row, when)
  })
  const table = /<!-- ends:start -->\n\n?([\s\S]*?)\n?<!-- ends:end -->/.exec(readme)?.[1]
  expect(table).toBe(`${[...head, ...rows].join('\n')}\n`)
})
