import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasChromium, startChromium } from '../scripts/chromium.mjs'
import { expectAccessible } from './accessible.js'
import { type ServedConsole, serveConsole, type Token } from './served-console.js'
import { type WatchedPage, watch } from './watched-page.js'

describe.skipIf(!hasChromium)(`the console${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let gateway: ServedConsole
  let context: BrowserContext
  let page: Page
  let asked: string[]
  let watched: WatchedPage
  beforeAll(async () => {
    ;[browser, gateway] = await Promise.all([startChromium(), serveConsole()])
  })
  afterAll(() => Promise.all([browser?.close(), gateway?.close()]))
  beforeEach(async () => {
    asked = []
    gateway.surge = null
    context = await browser.newContext({ locale: 'en-GB' })
    page = await context.newPage()
    page.on('request', (request) => asked.push(request.url()))
    watched = watch(page)
  })
  afterEach(async () => {
    await context.close()
    expect(watched.faults).toEqual([])
  })

  const open = async (token: Token): Promise<void> => {
    await page.goto(gateway.address(token))
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await page.getByRole('button', { name: 'Run' }).waitFor()
  }
  const run = (): Promise<void> => page.getByRole('button', { name: 'Run' }).click()
  const figures = (): Promise<Record<string, string>> =>
    page
      .locator('[data-figure]')
      .evaluateAll((all) => Object.fromEntries(all.map((it) => [it.getAttribute('data-figure'), it.textContent])))
  /** What `/v1/status` says, as the page writes it. */
  const stated = async (): Promise<Record<string, string>> => {
    const [node] = (await gateway.status()).nodes
    if (node === undefined) throw new Error('there is no node')
    const { limit: it } = node
    const ms = (value: number | null) =>
      value === null ? '–' : `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`
    return {
      Limit: String(it.limit),
      'In flight': String(it.in_flight),
      Queued: String(it.queued),
      'Latency ceiling': String(it.latency_ceiling),
      'Throttle ceiling': String(it.throttle_ceiling),
      p90: ms(it.p90_ms),
      Baseline: ms(it.baseline_ms),
      Ratio: it.ratio === null ? '–' : `${it.ratio.toFixed(2)} ×`,
      Throttles: '0',
      Hold: 'none',
    }
  }

  test('shows live what /v1/status says', async () => {
    gateway.surge = { state: 'idle', failure: null }
    await open('plenty')
    expect(new URL(page.url()).hash).toBe('')
    const light = Promise.all(Array.from({ length: 30 }, () => gateway.get('/v1/pipes/asleep?tenths=1')))
    await expect.poll(async () => Number((await figures()).Queued)).toBeGreaterThan(0)
    await light
    const slow = [gateway.get('/v1/pipes/asleep?tenths=15'), gateway.get('/v1/pipes/job?tenths=15')]
    await expect.poll(figures).toMatchObject({ 'In flight': '1', Queued: '0' })
    await expect.poll(() => page.locator('.figures').textContent()).toContain('+ 1 past the limit')
    // Polled: a window may end between the two readings.
    await vi.waitFor(async () => expect(await figures()).toEqual(await stated()), 10_000)
    await Promise.all(slow)
    await expect.poll(figures).toMatchObject({ 'In flight': '0' })
    const last = await vi.waitFor(async () => {
      const shown = await figures()
      expect(shown).toEqual(await stated())
      return shown
    }, 10_000)
    expect(last.p90).toMatch(/^\d+(\.\d)? ms$/)
    expect(await page.locator('.state').textContent()).toMatch(/All is well\. The limit is 4 of 4/)
    gateway.surge = { state: 'job', failure: null } // as another tab starts one
    await page.getByText('A batch job runs beside them').waitFor()
    await page.getByText('Limit as a table').click()
    const row = page.getByRole('region', { name: 'Limit, last values' }).locator('tbody tr').first()
    await expect.poll(() => row.locator('td').allTextContents()).toEqual(['0', '4', '4', '4', '0', '0', 'no'])
    expect(watched.said).toEqual([])
  })

  test('keeps the token in the tab, asks for one where there is none or a wrong one, and forgets it', async () => {
    await page.goto(gateway.url)
    const refused = page.getByRole('alert').filter({ hasText: 'does not take this token' })
    await page.keyboard.type('not-a-token-that-is-known') // the field has the focus
    await page.keyboard.press('Enter')
    await refused.waitFor()
    await page.goto(`${gateway.url}/#token=…`) // as documents print it; no header can hold it
    await refused.waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await open('plenty')
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    expect([new URL(page.url()).hash, asked.filter((url) => url.includes('token'))]).toEqual(['', []])
    const { entries } = await (await context.newCDPSession(page)).send('Page.getNavigationHistory')
    expect(entries.map(({ url }) => url).filter((url) => url.includes('token'))).toEqual([])
    await page.getByRole('button', { name: 'Forget token' }).click()
    await page.getByLabel('Token').waitFor()
    await page.reload()
    await page.getByLabel('Token').waitFor()
    expect(watched.said.filter((line) => line.includes('token-'))).toEqual([])
    await page.keyboard.type('token-with-plenty-of-quota')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    // The field that had the focus is gone.
    expect(await page.evaluate(() => document.activeElement?.outerHTML)).toBe('<h1 tabindex="-1">Sluice console</h1>')
  })

  test('works where the browser lets it keep nothing, until the page is left', async () => {
    // As Chromium does where cookies are blocked.
    await page.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      }),
    )
    await open('plenty')
    expect(new URL(page.url()).hash).toBe('')
    await page.goto(`${gateway.url}/#limit`) // nothing but another fragment, of no token
    await run()
    await page.getByText('90 rows').waitFor()
    await page.reload()
    await page.getByLabel('Token').waitFor()
  })

  test('says that it failed, and begins anew on request', async () => {
    await page.route('**/v1/pipes', (route) => route.fulfill({ json: { pipes: null } })) // no gateway says so
    await page.goto(gateway.address('plenty'))
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/^TypeError: .*null/)
    await expectAccessible(page)
    expect(watched.faults.splice(0)).not.toEqual([]) // and the console says where
    await page.unroute('**/v1/pipes')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  })

  test('runs a query, says what is wrong with another, and loads nothing from elsewhere', async () => {
    await open('plenty')
    await page.getByLabel('to', { exact: true }).fill('2001-01-07')
    await run()
    await page.getByText('7 rows, in').waitFor()
    const rows = page.getByRole('region', { name: 'Result' }).locator('tr')
    expect(await rows.count()).toBe(8)
    expect(await rows.nth(1).locator('td').allTextContents()).toEqual(['2001-01-01', '222', '15.77'])
    await page.getByLabel('from', { exact: true }).fill('2001-03-01')
    await run()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/^Request failed \(HTTP 400\): Bad Request.*from/)
    expect([...new Set(asked.map((url) => new URL(url).origin))]).toEqual([gateway.url])
    expect(await page.getByRole('button', { name: 'Start the surge' }).count()).toBe(0)
  })

  test('a query that is throttled shows the banner, and then its data', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await open('short')
    await gateway.spend('short')
    await page.getByRole('button', { name: 'Run' }).focus()
    await page.keyboard.press('Enter')
    const banner = page.locator('.retry-banner')
    await expect.poll(() => banner.textContent()).toBe('Some requests are being retried after throttling…')
    // Once it has risen, it covers nothing of what has the focus.
    const bounds = (selector: string) => page.locator(selector).evaluate((it) => it.getBoundingClientRect().toJSON())
    await page.waitForFunction(() => document.getAnimations().every((it) => it.effect?.getTiming().iterations !== 1))
    expect((await bounds(':focus')).bottom).toBeLessThan((await bounds('.retry-banner')).top)
    expect(await page.locator('section', { hasText: 'that wait' }).last().textContent()).toMatch(
      /GET \/v1\/pipes\/flights_per_daythrottled \(429\)no\. 2 at \d\d:\d\d:\d\d/,
    )
    const animations = (): Promise<number> => page.evaluate(() => document.getAnimations().length)
    expect(await animations()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await animations()).toBe(0)
    await page.getByText('90 rows').waitFor()
    await expect.poll(() => banner.textContent()).toBe('')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('one that waits with a token that is forgotten is not sent again', async () => {
    await open('short')
    await gateway.spend('short')
    await run()
    await page.getByText('throttled (429)').first().waitFor()
    await page.getByRole('button', { name: 'Forget token' }).click()
    await open('plenty')
    expect(await page.locator('section', { hasText: 'that wait' }).last().textContent()).toMatch(/None\. /)
    expect(await page.locator('.retry-banner').textContent()).toBe('')
  })

  test('one that is throttled for longer says when to come back', async () => {
    await open('long')
    await gateway.spend('long')
    await run()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/^Rate limited — server asked to retry in \d\d s[A-Z]/)
  })

  test('starts a surge where there is one, once, and tells how far it is', async () => {
    gateway.surge = { state: 'idle', failure: null }
    await open('plenty')
    const button = page.getByRole('button', { name: 'Start the surge' })
    await button.waitFor()
    gateway.surge = { state: 'job', failure: null }
    await button.click()
    await page.getByText('A batch job runs beside them').waitFor()
    await button.click({ force: true })
    expect(gateway.started()).toBe(1)
    gateway.surge = { state: 'idle', failure: 'The surge ended early: no engine.' }
    await page.getByText('The surge ended early: no engine.').waitFor()
  })

  test('axe finds nothing serious, in both themes', async () => {
    gateway.surge = { state: 'idle', failure: null }
    await page.goto(gateway.url)
    await page.getByLabel('Token').waitFor()
    await expectAccessible(page)
    await open('plenty')
    await run()
    await page.getByText('90 rows').waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    await expectAccessible(page)
  })

  test('fits a screen of 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 740 })
    await open('plenty')
    await run()
    await page.getByText('90 rows').waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    await page.getByRole('region', { name: 'Latency, last values' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })

  test('keeps its marks in forced colours, prints what is looked at, and reads no figure aloud', async () => {
    gateway.surge = { state: 'idle', failure: null }
    await open('plenty')
    await page.emulateMedia({ forcedColors: 'active' })
    const grounds = await page
      .locator('.mark')
      .evaluateAll((all) =>
        all.map((it) => [getComputedStyle(it).backgroundColor, getComputedStyle(it).backgroundImage]),
      )
    expect(grounds).toEqual([
      ['rgb(245, 230, 200)', 'none'],
      ['rgba(0, 0, 0, 0)', expect.stringMatching(/^repeating-linear-gradient/)],
      ['rgb(179, 38, 30)', 'none'],
    ])
    await page.emulateMedia({ forcedColors: 'none', media: 'print' })
    const seen = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible()
    const sides = ['.plot canvas', '.figures', '.side', '.top button']
    expect(await Promise.all(sides.map(seen))).toEqual([true, true, false, false])
    const aloud = page.locator('[role=status], [role=alert], [aria-live]')
    expect(await aloud.evaluateAll((all) => all.map((it) => it.className))).toEqual([
      ...['chip', 'surge-state', 'retry-banner'],
    ])
    // One that is out of the page while it is empty is not noticed when it speaks.
    await page.emulateMedia({ media: 'screen' })
    const displays = await aloud.evaluateAll((all) => all.map((it) => getComputedStyle(it).display))
    expect(displays).not.toContain('none')
  })

  test('the keyboard reaches everything, and runs a query', async () => {
    await open('plenty')
    await page.getByLabel('to', { exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('90 rows').waitFor()
    // Of radio buttons Tab reaches the one that is on, and arrows the others.
    const all = await page.evaluate(() => {
      const found = document.querySelectorAll(
        'button, input:not([type=radio]:not(:checked)), select, summary, [tabindex]',
      )
      const seen = [...found].filter((it) => it.checkVisibility())
      for (const [index, it] of seen.entries()) it.setAttribute('data-nth', String(index))
      return seen.length
    })
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.locator('h1').click()
    const reached = new Set<string>()
    for (let n = 0; n < 3 * all && reached.size < all; n++) {
      await page.keyboard.press('Tab')
      const nth = await page.evaluate(() => document.activeElement?.getAttribute('data-nth') ?? null)
      if (nth !== null) reached.add(nth)
    }
    expect(reached.size).toBe(all)
    expect(all).toBeGreaterThan(9)
  })
})
