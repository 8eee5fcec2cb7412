import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasNginx, type Nginx, startNginx } from '../nginx.js'
import { bundle, hasChromium, startChromium } from './chromium.js'
import { type PageServer, pageServer } from './page-server.js'

/** In the page. */
declare const sluice: typeof import('@sluice/fetch/page')

/** Time for something to come that must not come. */
const quiet = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let script: string
  let server: PageServer
  let other: PageServer
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    ;[browser, script] = await Promise.all([startChromium(), bundle('sluice-in-page.ts')])
  }, 60_000)
  beforeEach(async () => {
    ;[server, other, context] = await Promise.all([pageServer(script), pageServer(script), browser.newContext()])
    page = await context.newPage()
    await page.goto(`${server.url}/`)
  })
  afterEach(async () => {
    await context.close()
    server.close()
    other.close()
  })
  /** A machine that is busy is late. */
  const soon = (see: () => void): Promise<void> => vi.waitFor(see, { timeout: 10_000 })
  const asked = (n: number): Promise<void> => soon(() => expect(server.asked.length).toBe(n))

  /** Begins a call that waits for its retry, one in flight, and one that is being read; notes how they end. */
  const beginThree = async (): Promise<void> => {
    server.api = (response, nth) => {
      if (nth === 1) response.writeHead(429, { 'retry-after': '2' }).end()
      if (nth === 3) response.writeHead(200).write('the first of many chunks')
    }
    await page.evaluate(async () => {
      const fetch = sluice.createPageFetch()
      const ends: string[] = []
      const note = (call: Promise<unknown>): void => {
        call.catch((error: unknown) => ends.push(`${sluice.isPageLeft(error)} ${sluice.userMessage(error)}`))
      }
      Object.assign(globalThis, { fetch_: fetch, ends })
      note(fetch('/api/waits'))
      while (fetch.waiting.getSnapshot().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      note(fetch('/api/in-flight'))
    })
    await asked(2)
    await page.evaluate(async () => {
      const { fetch_, ends } = globalThis as unknown as { fetch_: typeof fetch; ends: string[] }
      const response = await fetch_('/api/streams')
      response.text().catch((error: unknown) => ends.push(`${sluice.isPageLeft(error)} ${sluice.userMessage(error)}`))
    })
    await asked(3)
  }

  test('U2: leaving ends everything, and the server hears no more', async () => {
    await beginThree()
    await page.goto(`${server.url}/elsewhere`)
    await soon(() => expect(server.asked.map(({ gone }) => gone)).toEqual([false, true, true]))
    await quiet(2300)
    expect(server.asked.length).toBe(3)
  })

  test('U2: a page that comes back from the back-forward cache knows what ended, and works', async () => {
    await beginThree()
    // The page tells by itself: playwright does not follow it into that cache.
    await page.evaluate(() => {
      const { fetch_, ends } = globalThis as unknown as { fetch_: typeof fetch; ends: string[] }
      addEventListener('pageshow', async ({ persisted }) => {
        const response = await fetch_(`/api/back?persisted=${persisted}&ended=${ends}`)
        await fetch_(`/api/heard?${await response.text()}`)
      })
      // As libraries do that ask again when somebody looks at the page: this comes before `pageshow`.
      addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') void fetch_('/api/seen')
      })
    })
    await page.goto(`${server.url}/elsewhere`)
    server.api = (response) => void response.end('welcome')
    await page.evaluate(() => history.back())
    await asked(6)
    const ended = ['true null', 'true null', 'true null']
    const came = server.asked.slice(3).map(({ path }) => decodeURIComponent(path))
    expect(came.sort()).toEqual([`/api/back?persisted=true&ended=${ended}`, '/api/heard?welcome', '/api/seen'])
  })

  test('U2: a query superseded five times costs one answer', async () => {
    server.api = (response, _, { url }) => url?.endsWith('=sluice') && response.end('found')
    const ends = await page.evaluate(async () => {
      const search = sluice.createPageFetch().with({ supersede: 'search' })
      const calls: Promise<string>[] = []
      for (const typed of ['s', 'sl', 'slu', 'slui', 'sluic', 'sluice']) {
        const call = search(`/api/search?q=${typed}`).then((response) => response.text())
        calls.push(call.catch((error: unknown) => `superseded: ${sluice.isSuperseded(error)}`))
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
      return Promise.all(calls)
    })
    expect(ends).toEqual([...Array(5).fill('superseded: true'), 'found'])
    await soon(() => expect(server.asked.map(({ gone }) => gone)).toEqual([...Array(5).fill(true), false]))
    expect(server.asked.filter(({ answered }) => answered).map(({ path }) => path)).toEqual(['/api/search?q=sluice'])
  })

  test('U3: offline for a while in the middle of three calls: all succeed', async () => {
    let offline = true
    server.api = (response) => {
      if (offline) response.destroy()
      else response.end('fine')
    }
    const calls = page.evaluate(async () => {
      const policy = sluice.retryPolicy({ baseMs: 2000 })
      const fetch = sluice.createPageFetch({ policy, random: () => 0.99 })
      Object.assign(globalThis, { fetch_: fetch })
      const made = ['/api/a', '/api/b', '/api/c'].map(async (url) => {
        const response = await fetch(url)
        return [await response.text(), sluice.outcomeOf(response)?.attempts]
      })
      return Promise.all(made)
    })
    await asked(3) // each meets the failure, and waits two seconds
    await context.setOffline(true)
    await page.waitForFunction(() => !navigator.onLine)
    await page.waitForFunction(() => {
      const { fetch_ } = globalThis as unknown as { fetch_: import('@sluice/fetch/page').PageFetch }
      return fetch_.waiting.getSnapshot().filter((call) => call.offline).length === 3
    })
    await quiet(1000)
    offline = false
    await context.setOffline(false)
    expect(await calls).toEqual(Array(3).fill(['fine', 2]))
    expect(server.asked.filter(({ answered }) => answered).length).toBe(3)
  })

  test('U4: a keepalive request is sent once, and outlives the page that makes it as it goes', async () => {
    server.api = (response) => void response.writeHead(503).end()
    const status = await page.evaluate(async () => {
      const fetch = sluice.createPageFetch()
      addEventListener('pagehide', () => {
        for (const keepalive of [true, false])
          fetch(`/api/goodbye?keepalive=${keepalive}`, { keepalive }).catch(() => {})
      })
      return (await fetch('/api/beacon', { method: 'PUT', body: 'x', keepalive: true })).status
    })
    await quiet(400)
    expect([status, server.asked.length]).toEqual([503, 1])
    await page.goto(`${server.url}/elsewhere`)
    await asked(2)
    await quiet(400)
    expect(server.asked.map(({ path }) => path)).toEqual(['/api/beacon', '/api/goodbye?keepalive=true'])
  })

  test('a Retry-After that CORS hides is as good as absent (R7); exposed, it is honoured', async () => {
    other.api = (response, nth, request) => {
      const cors = { 'access-control-allow-origin': '*', 'retry-after': '1' }
      const exposed = request.url?.includes('exposed') ? { 'access-control-expose-headers': 'Retry-After' } : {}
      if (nth > 1) response.writeHead(200, cors).end()
      else response.writeHead(429, { ...cors, ...exposed }).end()
    }
    const waited = (path: string): Promise<(number | string | undefined)[]> =>
      page.evaluate(async (url) => {
        const lines: string[] = []
        const logger = { warn: (line: string) => void lines.push(line) }
        const fetch = sluice.createPageFetch({ logger, policy: sluice.retryPolicy({ baseMs: 100 }) })
        const response = await fetch(url)
        return [sluice.outcomeOf(response)?.waitedMs, ...lines]
      }, other.url + path)
    const [hiddenMs, ...lines] = await waited('/api/hidden')
    expect(hiddenMs).toBeLessThan(1000)
    expect(lines).toEqual([expect.stringContaining('Access-Control-Expose-Headers: Retry-After')])
    other.asked.length = 0
    const [exposedMs, ...none] = await waited('/api/exposed')
    expect(exposedMs).toBeGreaterThanOrEqual(1000)
    expect(none).toEqual([])
  })

  test('what is no JSON is told in the platform’s own words', async () => {
    server.api = (response) => void response.end('<!doctype html>')
    const said = await page.evaluate(() => {
      const { fetch: platforms } = globalThis
      const say = async (fetch: typeof platforms): Promise<unknown> => {
        const response = await fetch('/api/items')
        return [await response.json().catch(String), await response.json().catch(String)]
      }
      return Promise.all([say(platforms), say(sluice.createPageFetch())])
    })
    const twice = "TypeError: Failed to execute 'json' on 'Response': body stream already read"
    expect(said[0]).toEqual([expect.stringMatching(/^SyntaxError: Unexpected token '<'/), twice])
    expect(said[1]).toEqual(said[0])
  })

  describe.skipIf(!hasNginx)(
    `U5: behind an nginx whose login expires${hasNginx ? '' : ' (skipped: nginx not found)'}`,
    () => {
      let nginx: Nginx
      /** Of the page, to where. */
      let navigations: string[]
      const logIn = (): Promise<void> => context.addCookies([{ name: 'session', value: 'x', url: nginx.url }])
      const expire = (): Promise<void> => context.clearCookies()
      const open = async (path: string, loginCheckUrl?: string): Promise<void> => {
        await page.goto(nginx.url + path)
        await begin(loginCheckUrl)
        navigations.length = 0
      }
      const begin = (loginCheckUrl?: string): Promise<void> =>
        page.evaluate((loginCheckUrl) => {
          const fetch = sluice.createPageFetch({
            policy: sluice.retryPolicy({ baseMs: 10 }),
            onLoginExpired: ({ reloadOnce }) => reloadOnce(),
            loginCheckUrl,
          })
          Object.assign(globalThis, { fetch_: fetch })
        }, loginCheckUrl)
      const call = (): Promise<string | null> =>
        page
          .evaluate(async () => {
            const { fetch_ } = globalThis as unknown as { fetch_: typeof fetch }
            return sluice.userMessage(await fetch_('/api/items').catch((error: unknown) => error))
          })
          .catch(() => 'reloaded meanwhile')
      const NO_CONNECTION = 'No connection to the server — please check the network and retry'

      beforeEach(async () => {
        // What comes without its cookie is led to a login of another origin; one page is exempt.
        nginx = await startNginx(
          `keepalive_timeout 0;
         location ~ ^/(open|script.js)$ { proxy_pass ${server.url}; }
         location / { if ($cookie_session = "") { return 302 ${other.url}/login; } proxy_pass ${server.url}; }`,
        )
        navigations = []
        page.on('request', (request) => {
          if (request.isNavigationRequest()) navigations.push(request.url())
        })
        await logIn()
      })
      afterEach(() => nginx.stop())

      test('the page reloads once, and shows the login; after it all works, also the next time', async () => {
        for (let time = 1; time <= 2; time++) {
          await open('')
          expect(await call()).toBe(null)
          const led: unknown[] = []
          other.pages = (_, { headers }) => led.push(headers['sec-fetch-mode']) === 0 // it answers all the same
          await expire()
          await call()
          await page.waitForURL(`${other.url}/login`)
          expect(navigations).toEqual([nginx.url, `${other.url}/login`])
          expect(led).toEqual([...Array(4).fill('cors'), 'navigate'])
          await logIn()
        }
        expect(server.asked.length).toBe(2)
      })

      test('a page that a reload does not lead to the login is reloaded once and not for ever', async () => {
        await open('open', '/api/me')
        await expire()
        await call()
        await page.waitForFunction(() => 'sluice' in globalThis && !('fetch_' in globalThis)) // the new page
        await begin('/api/me')
        expect(await call()).toBe(NO_CONNECTION)
        await quiet(400)
        expect(navigations).toEqual([`${nginx.url}open`])
      })

      test('what somebody is typing is not lost', async () => {
        await open('')
        await page.locator('#note').evaluate((note: HTMLTextAreaElement) => {
          note.oninput = () => {
            note.defaultValue = note.value // as frameworks do
          }
        })
        await page.locator('#note').pressSequentially('half a sentence')
        await expire()
        expect(await call()).toBe(NO_CONNECTION)
        await quiet(400)
        expect([navigations, await page.locator('#note').inputValue()]).toEqual([[], 'half a sentence'])
      })

      test('a server that is down makes nobody reload, nor does a proxy that is', async () => {
        await open('')
        server.close()
        expect(await call()).toBe('Request failed (HTTP 502) — please retry shortly')
        await nginx.stop()
        expect(await call()).toBe(NO_CONNECTION)
        await quiet(400)
        expect(navigations).toEqual([])
      })
    },
  )

  test('works in a worker, which has no page to leave', async () => {
    server.api = (response, nth) => void response.writeHead(nth === 1 ? 429 : 200, { 'retry-after': '0' }).end('fine')
    const answer = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const work = `importScripts('${location.origin}/script.js')
            sluice.createPageFetch({ onLoginExpired() {} })('${location.origin}/api/a')
              .then(async (response) => postMessage([await response.text(), sluice.outcomeOf(response).attempts]))`
          const worker = new Worker(URL.createObjectURL(new Blob([work])))
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => resolve(message)
        }),
    )
    expect(answer).toEqual(['fine', 2])
  })
})
