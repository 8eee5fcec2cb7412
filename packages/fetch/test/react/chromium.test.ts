import { spawnSync } from 'node:child_process'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle, hasChromium, startChromium } from '../page/chromium.js'
import { type PageServer, pageServer } from '../page/page-server.js'
import { PAGES, programsOf } from '../programs.js'
import { serveSnippet } from '../snippet-service.js'
import { REACTS, withReact } from './reacts.js'
import { runInPage } from './run-in-page.js'

declare const app: import('./app-in-page.js').App // in the page
declare const waiting: () => number

const THROTTLED = 'Some requests are being retried after throttling…'
const FAILED = 'Some requests failed and are being retried…'
const EMPTY = '<div role="status" class="sluice-retry-banner"></div>'

describe.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 60_000)

  describe.each(REACTS)('under React %s', (version) => {
    let server: PageServer
    let context: BrowserContext
    let page: Page
    beforeAll(async () => {
      const script = await bundle('../react/app-in-page.ts', withReact(version))
      ;[server, context] = await Promise.all([pageServer(script), browser.newContext()])
      page = await context.newPage()
      await page.goto(`${server.url}/`)
    }, 60_000)
    afterAll(async () => {
      await context?.close()
      server?.close()
    })
    /** Opens the page anew, for a test that counts what the server is asked. */
    const reopen = async (): Promise<void> => {
      await page.goto(`${server.url}/`)
      server.asked.length = 0
    }
    /** From here on time goes on by itself still, and a test may move it forward. */
    const reopenWithClock = async (): Promise<void> => {
      await page.clock.install()
      await reopen()
    }

    test('that version it is', async () => {
      expect(await page.evaluate(() => app.version)).toMatch(new RegExp(`^${version}\\.`))
    })

    describe('the banner (S3), in StrictMode', () => {
      test('comes after 400 ms, goes a second after the wait, and leaves the empty element that was there before', async () => {
        expect(await page.evaluate(() => app.say([[0, 'throttle'], [2125]]))).toEqual({
          heard: [
            [400, THROTTLED],
            [3125, ''],
          ],
          ...{ before: EMPTY, after: EMPTY, same: true, left: [0, 0] },
        })
      })

      test('a wait of less than 400 ms is not worth a word; one that is a little longer is there for a second', async () => {
        const [short, long] = await page.evaluate(async () => [
          await app.say([[0, 'throttle'], [399], [420, 'throttle'], [700]]),
          await app.say([[0, 'throttle'], [401]]),
        ])
        expect(short?.heard).toEqual([])
        expect(long?.heard).toEqual([
          [400, THROTTLED],
          [1401, ''],
        ])
      })

      test('is read aloud once for all that go and come, and while what had waited is under way', async () => {
        const said = await page.evaluate(() =>
          app.say([[0, 'throttle', 'throttle'], [500, 'throttle', 'transient'], [700], [1600, 'throttle'], [1800]]),
        )
        expect(said.heard).toEqual([
          [400, THROTTLED],
          [2800, ''],
        ])
      })

      test('says it when the reason has changed, but not from one moment to the next', async () => {
        const said = await page.evaluate(() =>
          app.say([
            [0, 'transient'],
            [300, 'throttle'], // before anything is said: the 400 ms go on
            [500, 'transient'],
            [600, 'throttle'], // no word of it
            [700, 'transient'],
            [1800],
          ]),
        )
        expect(said.heard).toEqual([
          [400, THROTTLED],
          [1700, FAILED],
          [2800, ''],
        ])
      })

      test('nor later than that where it comes and goes', async () => {
        const said = await page.evaluate(() =>
          app.say([
            [0, 'throttle'],
            [500, 'transient'],
            [900],
            [1300, 'transient'],
            [1700],
            [2100, 'transient'],
            [2500],
          ]),
        )
        expect(said.heard).toEqual([
          [400, THROTTLED],
          [1500, FAILED],
          [3500, ''],
        ])
      })

      test('takes a class, times and a text of one’s own', async () => {
        const said = await page.evaluate(() =>
          app.say([[0, 'throttle', 'throttle'], [50]], {
            ...{ className: 'mine', showAfterMs: 10, hideAfterMs: 100 },
            message: ({ waiting }) => (waiting.length > 1 ? `${waiting.length} panels are late` : null),
          }),
        )
        expect(said).toMatchObject({
          heard: [
            [10, '2 panels are late'],
            [150, ''],
          ],
          after: '<div role="status" class="mine"></div>',
        })
      })

      test('a reader finds the region before there is a text in it, unless a style sheet takes it away', async () => {
        const cdp = await context.newCDPSession(page)
        const regions = async (): Promise<unknown[]> => {
          const { nodes } = await cdp.send('Accessibility.getFullAXTree')
          const live = nodes.filter(({ role, ignored }) => role?.value === 'status' && !ignored)
          return live.map(({ properties = [] }) => properties.find(({ name }) => name === 'live')?.value.value)
        }
        await page.evaluate(() => void app.show())
        await page.locator('[role=status]').waitFor({ state: 'attached' })
        await page.addStyleTag({ content: '[role=status]:not(:empty) { padding: 1em; border: 1px solid }' })
        expect(await regions()).toEqual(['polite'])
        expect(
          await page.locator('[role=status]:empty').evaluate(({ offsetHeight }: HTMLElement) => offsetHeight),
        ).toBe(0)
        await page.addStyleTag({ content: '[role=status]:empty { display: none }' })
        expect(await regions()).toEqual([])
      })

      test('takes over what a server rendered: an empty element, also where something waits by then', async () => {
        const code = await bundle('../react/render-on-server.ts', {
          ...withReact(version),
          platform: 'node',
          plugins: [],
        })
        const { stdout, stderr } = spawnSync(process.execPath, ['-'], { input: code, encoding: 'utf8' })
        expect(stderr).toBe('')
        const [rendered, document_, html = ''] = stdout.trim().split(/ (?=undefined|<)/)
        expect([rendered?.split('.')[0], document_, html]).toEqual([
          ...[`${version}`, 'undefined', '<div role="status" class="notice"></div>'],
        ])
        const errors = await page.evaluate(async (html) => {
          const { errors, wait } = app.show(html.replace('notice', 'sluice-retry-banner'))
          wait('throttle')
          while (document.querySelector('[role=status]:empty')) await new Promise((resolve) => setTimeout(resolve, 5))
          return errors
        }, html)
        expect(errors).toEqual([])
        expect(await page.locator('main').innerHTML()).toBe(EMPTY.replace('><', `>${THROTTLED}<`))
      })
    })

    describe('a page with twelve panels', () => {
      test('under a burst: none turns red while retries last, and one banner comes and goes', async () => {
        // Four a second, as a quota counts them.
        const [started, used] = [performance.now(), new Map<number, number>()]
        server.api = (response, _, { url }) => {
          const second = Math.floor((performance.now() - started) / 1000)
          const nth = (used.get(second) ?? 0) + 1
          used.set(second, nth)
          if (nth > 4) response.writeHead(429, { 'retry-after': '1' }).end()
          else response.end(`data of ${url}`)
        }
        await reopen()
        await page.evaluate(() => app.panels(12, {}))
        await page.waitForFunction(() => app.seen().panels.every((text) => text !== 'Loading…'))
        await page.waitForFunction(() => app.seen().said.length > 2)
        expect(await page.evaluate(() => app.seen())).toEqual({
          said: ['', THROTTLED, ''],
          red: 0,
          panels: Array.from({ length: 12 }, (_, n) => `data of /api/panel/${n}`),
        })
        expect(server.asked.length).toBeGreaterThan(12 + 4) // refused more than once
      })

      test('the banner stays while the attempt after a wait is in flight, however long that takes', async () => {
        let answer = (): void => {}
        server.api = (response, nth) => {
          if (nth === 1) response.writeHead(429, { 'retry-after': '1' }).end()
          else answer = () => void response.end('data')
        }
        await reopenWithClock()
        await page.evaluate(() => app.panels(1, {}))
        await page.waitForFunction(() => waiting() === 1)
        await page.clock.fastForward(1300)
        await expect.poll(() => server.asked.length).toBe(2)
        await page.clock.fastForward(10_000)
        expect(await page.evaluate(() => app.seen())).toMatchObject({ said: ['', THROTTLED], panels: ['Loading…'] })
        answer()
        await page.waitForFunction(() => app.seen().panels[0] === 'data')
        await page.waitForFunction(() => app.seen().said.at(-1) === '')
        expect((await page.evaluate(() => app.seen())).said).toEqual(['', THROTTLED, ''])
      })

      test('under a longer one: each says what the server asked for, and none before the retries are over', async () => {
        server.api = (response) => void response.writeHead(429, { 'retry-after': '5' }).end()
        await reopenWithClock()
        await page.evaluate(() => app.panels(12, {}))
        for (let sends = 1; sends <= 3; sends++) {
          await page.waitForFunction(() => waiting() === 12)
          expect([server.asked.length, (await page.evaluate(() => app.seen())).red]).toEqual([12 * sends, 0])
          await page.clock.fastForward(5300)
        }
        await page.waitForFunction(() => app.seen().red === 12)
        await page.waitForFunction(() => app.seen().said.at(-1) === '')
        expect(await page.evaluate(() => app.seen())).toEqual({
          said: ['', THROTTLED, ''],
          red: 12,
          panels: Array(12).fill('Rate limited — server asked to retry in 5 s'),
        })
        expect(server.asked.length).toBe(12 * 4)
      })
    })

    describe('TanStack Query', () => {
      test.each([
        ['with queryDefaults sends 4 to a server that is down', false, 4],
        ['without them sends 4 × 4', true, 16],
      ])('%s', async (_, stock, sends) => {
        server.api = (response) => void response.destroy()
        await reopen()
        await page.evaluate((stock) => app.panels(1, { stock, policy: { baseMs: 10 } }), stock)
        await page.waitForFunction(() => app.seen().red === 1)
        expect(server.asked.length).toBe(sends)
        expect((await page.evaluate(() => app.seen())).panels).toEqual([
          'No connection to the server — please check the network and retry',
        ])
      })

      test('a query that ended since the page was left goes on when it comes back, and is never red', async () => {
        server.api = (response, nth) => nth > 1 && response.end(`answer ${nth}`)
        await reopen()
        await page.evaluate(() => {
          app.panels(1, {})
          // The page tells by itself: playwright does not follow it into that cache.
          addEventListener('pageshow', async ({ persisted }) => {
            while (app.seen().panels[0] === 'Loading…') await new Promise((resolve) => setTimeout(resolve, 10))
            const { red, panels } = app.seen()
            await fetch(`/api/seen?${persisted} ${red} ${panels}`)
          })
        })
        await expect.poll(() => server.asked.length).toBe(1)
        await page.goto(`${server.url}/elsewhere`)
        await page.evaluate(() => history.back())
        await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(3)
        const [first, ...others] = server.asked.map(({ path, gone }) => [decodeURIComponent(path), gone])
        expect(first).toEqual(['/api/panel/0', true])
        expect(others).toEqual([
          ['/api/panel/0', false],
          ['/api/seen?true 0 answer 2', false],
        ])
      })

      test('refetchEvery() waits as long as the server asked, then as long as it was told', async () => {
        server.api = (response, nth) => {
          if (nth === 1) response.writeHead(429, { 'retry-after': '60' }).end()
          else response.end(`answer ${nth}`)
        }
        await reopenWithClock()
        const says = (text: string): Promise<unknown> =>
          page.waitForFunction((text) => app.seen().panels[0] === text, text)
        await page.evaluate(() => app.panels(1, { refetchEveryMs: 20_000 }))
        await says('Rate limited — server asked to retry in 60 s')
        await page.clock.fastForward(55_000)
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
        expect(server.asked.length).toBe(1)
        await page.clock.fastForward(5000)
        await says('answer 2')
        await page.clock.fastForward(20_000)
        await says('answer 3')
      })
    })
  })

  // The convention is told at the top of ../docs.test.ts.
  const programs = PAGES.flatMap((page) => programsOf(page, 'tsx').map((program) => ({ page, ...program })))
  test.each(programs)(
    'the program at $page:$line shows what that says ($scenario)',
    async ({ scenario, prints, ...program }) => {
      if (prints === null) throw new Error('it is not told what is to be seen')
      const { url, received } = await serveSnippet(scenario)
      expect(await runInPage(browser, program, url, prints.split('\n').length)).toBe(prints)
      expect(received.length).toBeGreaterThan(0)
    },
  )

  test('in a worker the parts that are no components need no window', async () => {
    const [context, server] = await Promise.all([
      browser.newContext(),
      pageServer(await bundle('../react/helpers-in-worker.ts', withReact(19))),
    ])
    const page = await context.newPage()
    await page.goto(`${server.url}/`)
    const told = await page.evaluate(
      () => new Promise((resolve) => new Worker('/script.js').addEventListener('message', ({ data }) => resolve(data))),
    )
    await context.close()
    server.close()
    expect(told).toEqual(['undefined', false, 5000])
  })
})
