// Every program in the pages below is run, and prints what its page says. The convention, for any page:
//
// - A `ts` block is a whole program. It runs in a process of its own, on Node, against a real HTTP server whose address
//   is in API_URL: `process.env.API_URL ?? 'https://api.example.com'`.
// - The `text` blocks that follow it, up to the next program or heading, are its exact output, one run each. A word
//   after `text` names how the server behaves in that run (snippet-service.ts); without one the first request is
//   throttled and the others succeed. The server's address is shown as https://api.example.com; `…` stands for what
//   differs from run to run.
// - A program without a `text` block has only to run to its end.
// - What is not to be run (shell, JSON, a fragment in another language) has its own tag; `js`, `typescript` and the
//   like are refused, since nobody would run them.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { serveSnippet } from './snippet-service.js'
import { patternOf, run, snippetsOf } from './snippets.js'

const root = new URL('../../../', import.meta.url)
const readmes = ['README.md', 'packages/core/README.md', 'packages/fetch/README.md']
const pages = [
  'docs/recipes.md',
  'docs/limiter.md',
  'docs/web-ui.md',
  ...readmes.filter((page) => existsSync(new URL(page, root))),
]

describe.each(pages)('%s', (page) => {
  const runs = snippetsOf(readFileSync(new URL(page, root), 'utf8'), page).flatMap((snippet) =>
    snippet.runs.map((expected) => ({ ...snippet, ...expected })),
  )
  test.each(runs)('the program at line $line prints what the page says ($scenario)', async (one) => {
    const { url, received } = await serveSnippet(one.scenario)
    const output = await run(one, url)
    if (one.prints?.includes('…')) expect(output).toMatch(patternOf(one.prints))
    else if (one.prints !== null) expect(output).toBe(one.prints)
    if (one.code.includes('API_URL')) expect(received.length).toBeGreaterThan(0)
  })
})
