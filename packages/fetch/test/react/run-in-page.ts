import type { Browser } from 'playwright-core'
import { bundle } from '../page/chromium.js'
import { pageServer } from '../page/page-server.js'
import type { Snippet } from '../snippets.js'
import { PACKAGE, withReact } from './reacts.js'

/**
 * Runs a program in a page of its own.
 *
 * @param service that it is to talk to, below `/api/` of the page's own server
 * @param lines how many are to come, in ten seconds at most
 * @returns what there was to see in the page: a line for each time that it changed
 */
export async function runInPage(
  browser: Browser,
  { code }: Pick<Snippet, 'code'>,
  service: string,
  lines: number,
): Promise<string> {
  const program = { contents: code, loader: 'tsx', resolveDir: PACKAGE } as const
  const built = bundle(program, { ...withReact(19), jsx: 'automatic' })
  const [script, page, server] = await Promise.all([built, browser.newPage(), pageServer('')])
  server.api = async (response, _, { url }) => {
    const { status, headers, body } = await fetch(service + url)
    response.writeHead(status, Object.fromEntries(headers))
    if (body) for await (const chunk of body) response.write(chunk)
    response.end()
  }
  try {
    await page.goto(`${server.url}/`)
    await page.evaluate(() => {
      const shown: string[] = []
      Object.assign(globalThis, { shown })
      new MutationObserver(() => {
        const leaves = [...document.body.querySelectorAll('*')].filter(({ children }) => children.length === 0)
        const texts = leaves.map(({ textContent }) => textContent).filter((text) => text !== '')
        const now = texts.join(' | ')
        if (now !== (shown.at(-1) ?? '')) shown.push(now)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })
    await page.evaluate(script)
    const enough = (lines: number): boolean => (globalThis as unknown as { shown: string[] }).shown.length >= lines
    await page.waitForFunction(enough, lines, { timeout: 10_000 }).catch(() => {}) // what did come is what is compared
    return (await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).join('\n')
  } finally {
    await page.close()
    server.close()
  }
}
