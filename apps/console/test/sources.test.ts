import { unwrap } from '@sluice/client'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium, startChromium } from '../scripts/chromium.mjs'
import { expectAccessible } from './accessible.js'
import { type ServedSources, serveSources } from './served-sources.js'
import { type WatchedPage, watch } from './watched-page.js'

const event = { number: 1, day: '2026-01-01' }

describe.skipIf(!hasChromium)(`data sources${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let gateway: ServedSources
  let context: BrowserContext
  let page: Page
  let watched: WatchedPage
  beforeAll(async () => {
    ;[browser, gateway] = await Promise.all([startChromium(), serveSources(['clicks', 'orders', 'views'])])
  })
  afterAll(() => Promise.all([browser?.close(), gateway?.close()]))
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' })
    page = await context.newPage()
    watched = watch(page)
  })
  afterEach(async () => {
    await context.close()
    expect(watched.faults).toEqual([])
  })

  const open = async (token: 'owner' | 'reader', name?: string): Promise<void> => {
    await page.goto(gateway.address(token))
    await page.getByRole('heading', { name: 'Data sources' }).waitFor()
    if (name === undefined) return
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  /** The cells of a line: state, for, behind, backlog, oldest, limit, node. */
  const cells = (name: string): Promise<string[]> => page.locator(`tr[data-source=${name}] td`).allTextContents()
  const names = (): Promise<string[]> => page.locator('tr[data-source] th').allTextContents()
  const acts = (name: string): Locator => page.getByRole('region', { name: `For owners of ${name}` })
  /** What has the focus, by its name. */
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
  const send = (name: string) => unwrap(gateway.client.sendEvents({ path: { name }, body: [event, event] }))
  const see = (name: string) => unwrap(gateway.client.getDataSource({ path: { name } }))

  test('shows how each is, the one in trouble first, as it changes, and what its owners were told', async () => {
    await unwrap(gateway.client.sendEvents({ path: { name: 'clicks' }, query: { wait: true }, body: [event] }))
    await open('reader')
    await expect.poll(names).toEqual(['clicks', 'orders', 'views'])
    expect(await page.locator('.sources-state').textContent()).toBe('All 3 flow.')
    await expect
      .poll(() => cells('clicks'))
      .toEqual([...['Flowing', expect.stringMatching(/^\d+ s$|min$/), '0 s', 'none', '–', 'none', 'clickhouse-1']])
    const delayed = expect.poll(names, { timeout: 15_000 }).toEqual(['views', 'clicks', 'orders'])
    await gateway.overload('views')
    await delayed
    expect(await page.locator('.sources-state').textContent()).toBe('1 of 3 does not flow: 1 delayed.')
    const [state, , behind, backlog, oldest] = await cells('views')
    expect(state).toBe('Delayed')
    await expect.poll(async () => (await cells('views'))[3]).toMatch(/^\d+ rows, \d+(\.\d)? kB$/)
    expect([behind, backlog, oldest]).not.toContain(undefined)
    const log = page.getByRole('log', { name: 'Notices' })
    await expect
      .poll(() => log.locator('li').first().textContent())
      .toMatch(/^\d\d:\d\d:\d\dWarningWrites to "views" are held back until .*Events are still accepted\.$/)
    await expect
      .poll(() => log.locator('li').allTextContents(), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/Info"views" is written as usual again\.$/))
    expect(watched.said).toEqual([])
  }, 40_000)

  test('is sorted as is wished', async () => {
    await open('reader')
    const head = page.getByRole('columnheader', { name: 'Data source' })
    await head.getByRole('button').click()
    expect([await head.getAttribute('aria-sort'), await names()]).toEqual(['ascending', ['clicks', 'orders', 'views']])
    expect(await page.locator('[aria-sort]').count()).toBe(1)
  })

  test('an owner pauses and resumes it, is asked once before, and told what happened', async () => {
    await open('owner', 'clicks')
    const pause = acts('clicks').getByRole('button', { name: 'Pause writing…' })
    await pause.click()
    const dialog = page.getByRole('dialog', { name: 'Stop writing clicks?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect([await dialog.count(), (await see('clicks')).backlog.paused]).toEqual([0, false])
    await expect.poll(() => pause.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Pause writing' }).waitFor()
    await page.keyboard.press('Enter') // what has the focus is the answer that does something
    await page.getByText('clicks is paused: nothing of it is written until it is resumed.').waitFor()
    expect((await see('clicks')).backlog.paused).toBe(true)
    await send('clicks')
    await expect
      .poll(async () => (await cells('clicks')).slice(0, 4))
      .toEqual([...['Paused', expect.anything(), expect.anything(), expect.stringMatching(/^2 rows, \d+ B$/)]])
    // One takes the place of the other, with the focus.
    expect(await focused()).toBe('Resume writing…')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Resume writing' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('clicks is written again.').waitFor()
    await expect.poll(focused).toBe('Pause writing…')
    await expect.poll(async () => (await cells('clicks')).slice(3, 4)).toEqual(['none'])
  })

  test('an owner reroutes it, and is told why it cannot be', async () => {
    await open('owner', 'orders')
    const reroute = async (node: string): Promise<void> => {
      await acts('orders').getByLabel('instead to').selectOption(node)
      await acts('orders').getByRole('button', { name: 'Reroute…' }).click()
      await page
        .getByRole('dialog', { name: `Write orders to ${node}?` })
        .getByRole('button')
        .first()
        .click()
    }
    await reroute('clickhouse-2')
    await page.getByText('orders is written to clickhouse-2 from now on.').waitFor()
    await expect.poll(async () => (await cells('orders')).at(-1)).toBe('clickhouse-2')
    expect(await see('orders')).toMatchObject({ node: 'clickhouse-2', route: 'clickhouse-2' })
    await reroute('away')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/HTTP 409.*Node "away" does not answer/)
    expect((await see('orders')).node).toBe('clickhouse-2')
  })

  test('an owner takes a route back, where there is one', async () => {
    await open('owner', 'views')
    const back = acts('views').getByRole('button', { name: 'Back to where it belongs…' })
    await back.click()
    const sent = page.waitForRequest((it) => it.method() === 'PUT')
    await page.getByRole('dialog', { name: 'Take the route of views back?' }).getByRole('button').first().click()
    expect((await sent).postData()).toBe('{"node":null}')
    await page.getByText(/^views is written where it belongs: to clickhouse-[12]\.$/).waitFor()
    expect((await see('views')).route).toBe(null)
    await expect.poll(() => back.count()).toBe(0)
    expect(await focused()).toBe('For owners of views') // what had the focus is gone
  })

  test('shows how many blocks of it nobody knows whether they are written', async () => {
    // A node has to be lost in the midst of an insert: what the gateway says is changed on its way.
    const backlog = {
      paused: false,
      rows: 1200,
      bytes: 34_000,
      oldest_at: null,
      blocks_under_way: 0,
      unknown_blocks: 2,
    }
    await page.route('**/v1/datasources/clicks', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), backlog } })
    })
    await open('owner', 'clicks')
    await expect.poll(async () => (await cells('clicks'))[3]).toBe('1\u202f200 rows, 34.0 kB, 2 unknown')
    expect(await page.locator('[data-figure="Unknown blocks"]').textContent()).toBe('2')
  })

  test('an owner lifts a limit, where there is one', async () => {
    await open('owner', 'clicks')
    const lift = acts('clicks').getByRole('button', { name: 'Lift the limit…' })
    await acts('clicks').getByRole('button', { name: 'Pause writing…' }).waitFor()
    expect(await lift.count()).toBe(0)
    // It takes twenty minutes to get one: what the gateway says is changed on its way.
    await page.route('**/v1/datasources/clicks', async (route) => {
      const response = await route.fetch()
      const json = { ...(await response.json()), limited_until: '2026-01-01T12:00:00Z' }
      await route.fulfill({ response, json })
    })
    await lift.click()
    const answered = page.waitForResponse((it) => it.url().endsWith('/v1/datasources/clicks/limit'))
    await page.getByRole('dialog', { name: 'Lift the limit of clicks?' }).getByRole('button').first().click()
    expect((await answered).status()).toBe(204)
    await page.getByText('The limit of clicks is lifted.').waitFor()
    expect((await cells('clicks'))[5]).toMatch(/^until \d\d:\d\d:\d\d$/)
  })

  test('who is no owner is offered nothing that the token may not do', async () => {
    const refused = page.waitForResponse((it) => it.url().endsWith('/v1/datasources/orders/backlog'))
    await open('reader', 'orders')
    expect((await refused).status()).toBe(403)
    await page.getByText('Events are written as they come.').waitFor()
    expect(await acts('orders').count()).toBe(0)
    expect(await page.locator('section', { hasText: 'Run a query' }).last().textContent()).toMatch(/has no pipes\.$/)
  })

  test('one is opened in place of another, closed by its name or by its button, and that gives the focus back', async () => {
    await open('reader', 'clicks')
    const link = (name: string): Locator => page.getByRole('button', { name, exact: true })
    const opened = (): Promise<string[]> => page.locator('section.source h3').allTextContents()
    await link('orders').click()
    await expect.poll(opened).toEqual(['orders'])
    await link('orders').click()
    await expect.poll(opened).toEqual([])
    await link('views').click()
    await expect.poll(opened).toEqual(['views'])
    await page.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(opened).toEqual([])
    expect([await focused(), await names()]).toEqual(['views', expect.arrayContaining(['clicks', 'orders', 'views'])])
  })

  test('how long something has lasted does not depend on the clock of the page', async () => {
    const { state_since } = await see('orders')
    await page.addInitScript(() => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + 7_200_000
    })
    await open('reader')
    const lasted = async (): Promise<number> => {
      const [, count, unit] = /^(\d+) (s|min)$/.exec((await cells('orders'))[1] ?? '') ?? []
      return Number(count) * (unit === 'min' ? 60 : 1)
    }
    const seconds = Math.floor((Date.now() - Date.parse(state_since)) / 1000)
    expect(Math.abs((await lasted()) - seconds)).toBeLessThanOrEqual(seconds < 120 ? 3 : 60)
  })

  test('hundreds of them are shown a page at a time, and the focus stays where it is', async () => {
    // What the gateway says is multiplied on its way.
    const status = await unwrap(gateway.client.getStatus())
    const data_sources = Array.from({ length: 230 }, (_, n) => ({ ...status.data_sources[0], name: `s${1000 + n}` }))
    await page.route('**/v1/status/stream', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `event: status\ndata: ${JSON.stringify({ ...status, data_sources })}\n\n`,
      }),
    )
    await open('reader')
    const lines = page.locator('tr[data-source] th')
    const shown = async () => [
      ...[await lines.first().textContent(), await lines.count()],
      await page.locator('.pages [role=status]').textContent(),
    ]
    await page.getByRole('columnheader', { name: 'Data source' }).getByRole('button').click()
    expect(await shown()).toEqual(['s1000', 100, '1 to 100 of 230'])
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')
    expect(await shown()).toEqual(['s1100', 100, '101 to 200 of 230'])
    for (const _ of 'ab') await page.keyboard.press('Enter') // there is none after the last
    expect([...(await shown()), await focused()]).toEqual(['s1200', 30, '201 to 230 of 230', 'Next'])
    await page.getByRole('button', { name: 'Previous' }).click()
    expect(await shown()).toEqual(['s1100', 100, '101 to 200 of 230'])
    await page.getByRole('button', { name: 'Backlog' }).click() // begins with the worst
    expect([(await shown()).at(-1), await focused()]).toEqual(['1 to 100 of 230', 'Backlog'])
  })

  test('axe finds nothing serious in both themes, and it fits a screen of 320 px', async () => {
    await open('owner', 'orders')
    await acts('orders').getByRole('button', { name: 'Pause writing…' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 740 })
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBe(320)
    // The table is wider, and says so: two covers go with what scrolls, and two shadows stay where they are.
    const scrolls = page.getByRole('region', { name: 'All data sources' })
    expect(await scrolls.evaluate((it) => it.scrollWidth > it.clientWidth)).toBe(true)
    const shades = await scrolls.evaluate((it) => getComputedStyle(it).backgroundAttachment)
    expect(shades).toBe('local, local, scroll, scroll')
    await acts('orders').getByRole('button', { name: 'Pause writing…' }).click()
    await expectAccessible(page)
    expect(await width()).toBe(320)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('the keyboard alone opens one and acts, and nothing of the log is read aloud by itself', async () => {
    await open('owner')
    await page.locator('h1').click()
    const press = async (name: string, most: number): Promise<void> => {
      for (let n = 0; n < most; n++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate(() => document.activeElement?.textContent)) === name)
          return page.keyboard.press('Enter')
      }
      throw new Error(`Tab does not reach ${name}`)
    }
    await press('views', 20)
    await acts('views').getByRole('button', { name: 'Pause writing…' }).waitFor()
    await press('Pause writing…', 20)
    await page.getByRole('dialog', { name: 'Stop writing views?' }).waitFor()
    await page.keyboard.press('Escape')
    expect((await see('views')).backlog.paused).toBe(false)
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off')
    const aloud = page.locator('[role=status], [role=alert]')
    expect(await aloud.evaluateAll((all) => all.map((it) => it.className))).toEqual([
      ...['chip', 'sources-state', 'done', 'retry-banner'],
    ])
    const displays = await aloud.evaluateAll((all) => all.map((it) => getComputedStyle(it).display))
    expect(displays).not.toContain('none')
  })
})
