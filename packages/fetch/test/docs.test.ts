// Every program in the pages below is run, and prints what its page says. The convention, for any page:
//
// - A `ts` block is a whole program. It runs in a process of its own, on Node, against a real HTTP server whose address
//   is in API_URL: `process.env.API_URL ?? 'https://api.example.com'`.
// - The `text` blocks that follow it, up to the next program or heading, are its exact output, one run each. A word
//   after `text` names how the server behaves in that run (snippet-service.ts); without one the first request is
//   throttled and the others succeed. The server's address is shown as https://api.example.com; `…` stands for what
//   differs from run to run.
// - A program without a `text` block has only to run to its end.
// - A `tsx` block is a program of a page. It runs in Chromium (react/run-in-page.ts), where the service is below /api/. Its
//   output is what there is to see in the page, a line for each time that it changes, with ` | ` between its texts.
// - What is not to be run (shell, JSON, a fragment in another language) has its own tag; `js`, `typescript` and the
//   like are refused, since nobody would run them.
import { describe, expect, test } from 'vitest'
import { PAGES, programsOf } from './programs.js'
import { serveSnippet } from './snippet-service.js'
import { patternOf, run } from './snippets.js'

describe.each(PAGES)('%s', (page) => {
  test.each(programsOf(page, 'ts'))('the program at line $line prints what the page says ($scenario)', async (one) => {
    const { url, received } = await serveSnippet(one.scenario)
    const output = await run(one, url)
    if (one.prints?.includes('…')) expect(output).toMatch(patternOf(one.prints))
    else if (one.prints !== null) expect(output).toBe(one.prints)
    if (one.code.includes('API_URL')) expect(received.length).toBeGreaterThan(0)
  })
})
