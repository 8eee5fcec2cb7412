import type { Page } from 'playwright-core'

/** What a page says while it is tested. */
export interface WatchedPage {
  /** All of its console, and every error that nobody caught. */
  readonly said: readonly string[]
  /**
   * What is a fault of the page: it is asked for after every test, since a page that fails may have shown all that was
   * looked for before. A status of 400 and more, or a gateway that is gone, the browser writes down by itself.
   */
  readonly faults: string[]
}

export function watch(page: Page): WatchedPage {
  const [said, faults]: [string[], string[]] = [[], []]
  page.on('console', (message) => {
    said.push(message.text())
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  page.on('pageerror', ({ message }) => {
    said.push(message)
    faults.push(message)
  })
  return { said, faults }
}
