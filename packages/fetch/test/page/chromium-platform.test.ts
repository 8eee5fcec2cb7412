import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bundle, hasChromium, startChromium } from './chromium.js'
import { type PageServer, pageServer } from './page-server.js'

/** In the page. */
declare const sluice: typeof import('@sluice/fetch/page')

/** The script of every page, which answers what a page asks for below `/api/` where it is a service worker. */
const AS_SERVICE_WORKER = `
if ('skipWaiting' in self) {
  const fetch = sluice.createPageFetch()
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => event.request.url.includes('/api/') && event.respondWith(fetch(event.request)))
}`

/** What only a browser can tell: it looks at what lies beneath the properties of its objects. */
describe.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let server: PageServer
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    const script = bundle('sluice-in-page.ts').then((code) => pageServer(code + AS_SERVICE_WORKER))
    ;[browser, server] = await Promise.all([startChromium(), script])
  }, 60_000)
  afterAll(() => server?.close())
  beforeEach(async () => {
    server.asked.length = 0
    server.pages = () => false
    context = await browser.newContext()
    page = await context.newPage()
    await page.goto(`${server.url}/`)
  })
  afterEach(() => context.close())

  test("R13: a Request's body is sent again however busy the page is, and however quick the answer", async () => {
    const met = new Set<string | undefined>()
    server.api = (response, _, request) => {
      const first = !met.has(request.url)
      met.add(request.url)
      let body = ''
      request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
      request.on('end', () => response.writeHead(first ? 429 : 200, { 'retry-after-ms': '1' }).end(body))
    }
    const ends = await page.evaluate(() => {
      const fetch = sluice.createPageFetch()
      const form = new FormData()
      form.set('file', new Blob(['{"a":1}']))
      const bodies = ['{"a":1}', new Blob(['{"a":1}']), form]
      const calls = Array.from({ length: 60 }, async (_, n) => {
        const request = new Request(`/api/${n}`, { method: 'POST', body: bodies[n % 3] as BodyInit })
        const response = await fetch(request)
        return `${response.status} ${(await response.text()).includes('{"a":1}')}`
      })
      return Promise.all(calls)
    })
    expect(ends).toEqual(Array(60).fill('200 true'))
    expect(server.asked.length).toBe(120)
  })

  test('a cache, a service worker and WebAssembly find the status that the server sent', async () => {
    server.api = (response) => {
      const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
      response.writeHead(404, 'Gone West', { 'content-type': 'application/wasm' }).end(empty)
    }
    const told = await page.evaluate(async () => {
      const fetch = sluice.createPageFetch()
      const cache = await caches.open('test')
      await cache.put('/cached', await fetch('/api/item'))
      const { status, ok, statusText } = (await cache.match('/cached')) as Response
      const module = await WebAssembly.compileStreaming(fetch('/api/wasm')).catch(({ name }) => name)
      await navigator.serviceWorker.register('/worker.js')
      const { serviceWorker } = navigator
      if (!serviceWorker.controller)
        await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve))
      const through = await globalThis.fetch('/api/item')
      return { cached: [status, ok, statusText], module, through: [through.status, through.ok, through.statusText] }
    })
    const sent = [404, false, 'Gone West']
    expect(told).toEqual({ cached: sent, module: 'TypeError', through: sent })
  })

  test('U5: what a browser made of a default, and what is touched and not typed, holds no reload up', async () => {
    const reloads = await page.evaluate(async () => {
      /** Whether a page reloads that has this in it, with which something is done. */
      const reloads = async (html: string, act = (_: HTMLInputElement): void => {}): Promise<boolean> => {
        document.body.innerHTML = html
        const stored = new Map<string, string>()
        const sessionStorage = {
          getItem: (name: string) => stored.get(name) ?? null,
          setItem: (name: string, value: string) => void stored.set(name, value),
          removeItem: (name: string) => void stored.delete(name),
        }
        return new Promise((resolve) => {
          const fetch = sluice.createPageFetch({
            page: { document, sessionStorage, location: { href: `${location.origin}/check`, reload() {} } },
            policy: sluice.retryPolicy({ maxAttempts: 1 }),
            async fetch(url) {
              if (String(url).includes('/api/')) throw new TypeError('Failed to fetch')
              return Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
            },
            onLoginExpired: ({ reloadOnce }) => resolve(reloadOnce()),
          })
          act(document.body.firstElementChild as HTMLInputElement)
          fetch('/api/items').catch(() => {})
        })
      }
      const write = (text: string) => (element: HTMLElement) => {
        element.focus()
        document.execCommand('insertText', false, text)
      }
      const twice = (box: HTMLElement): void => {
        box.click()
        box.click()
      }
      const area = (text: string) => (element: HTMLElement) => {
        element.textContent = text
      }
      return {
        area: await reloads('<textarea>', area('two\r\nlines')),
        email: await reloads('<input type="email" value=" a@b.test ">'),
        number: await reloads('<input type="number" value="1,5">'),
        date: await reloads('<input type="date" value="2026-1-2">'),
        url: await reloads('<input type="url" value=" https://a.test/&#10;x ">'),
        file: await reloads('<input type="file" value="x.txt">'),
        box: await reloads('<input type="checkbox">', twice),
        chosen: await reloads('<input type="radio" name="a" checked>', (radio) =>
          radio.dispatchEvent(new Event('input')),
        ),
        emptied: await reloads('<div contenteditable>', (element) => {
          write('x')(element)
          document.execCommand('delete')
        }),
        // And these do.
        written: await reloads('<div contenteditable>', write('x')),
        typed: await reloads('<input>', write('x')),
        typedArea: await reloads('<textarea>', write('x')),
        setArea: await reloads('<textarea>a</textarea>', (element) => {
          element.value = 'b\nc'
        }),
        setNumber: await reloads('<input type="number" value="1,5">', (element) => {
          element.value = '2'
        }),
        ticked: await reloads('<input type="checkbox">', (element) => element.click()),
      }
    })
    const [yes, no] = [true, false]
    expect(reloads).toEqual({
      ...{ area: yes, email: yes, number: yes, date: yes, url: yes, file: yes, box: yes, chosen: yes, emptied: yes },
      ...{ written: no, typed: no, typedArea: no, setArea: no, setNumber: no, ticked: no },
    })
  })

  test('U5: a reload that somebody called off can be asked for again', async () => {
    server.api = (response) => void response.destroy()
    await page.evaluate(async () => {
      const expired = await new Promise((resolve) => {
        const fetch = sluice.createPageFetch({
          policy: sluice.retryPolicy({ maxAttempts: 1 }),
          onLoginExpired: resolve,
          loginCheckUrl: '/led',
          fetch: async (url, init) =>
            String(url).endsWith('/led')
              ? Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
              : globalThis.fetch(url, init),
        })
        fetch('/api/items').catch(() => {})
      })
      Object.assign(globalThis, { expired, draft: true })
      addEventListener('beforeunload', (event) => (globalThis as { draft?: boolean }).draft && event.preventDefault())
    })
    await page.locator('#note').pressSequentially('half a sentence') // without a gesture nobody is asked
    const logIn = (): Promise<boolean> =>
      page.evaluate(() => {
        const { expired } = globalThis as unknown as { expired: import('@sluice/fetch/page').LoginExpired }
        return expired.reloadOnce({ evenWithInput: true })
      })
    const stays = page.waitForEvent('dialog').then((dialog) => dialog.dismiss())
    expect(await logIn()).toBe(true)
    await stays
    await page.evaluate(() => Object.assign(globalThis, { draft: false }))
    const back = page.waitForEvent('load')
    expect(await logIn()).toBe(true)
    await back
    expect(await page.evaluate(() => 'expired' in globalThis)).toBe(false)
  })

  test('a frame of srcdoc has a limit, and is told of an expired login', async () => {
    server.api = (response, _, { url }) => (url === '/api/cut' ? response.destroy() : response.end('fine'))
    server.pages = (response, { headers }) => {
      const led = headers['sec-fetch-mode'] === 'cors'
      if (led) response.writeHead(302, { location: 'http://login.invalid/' }).end()
      return led
    }
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.setContent(`<iframe srcdoc='<script src="${server.url}/script.js"></script>'></iframe>`)
    const [, frame] = page.frames()
    await frame?.waitForFunction(() => 'sluice' in globalThis)
    const told = await frame?.evaluate(async () => {
      const keys: string[] = []
      const limiters = new sluice.Limiters({ limit: { maxConcurrent: 2 } })
      const limit = {
        for(key: string) {
          keys.push(key)
          return limiters.for(key)
        },
      }
      const told: string[] = []
      const fetch = sluice.createPageFetch({
        policy: sluice.retryPolicy({ maxAttempts: 1 }),
        limit,
        onLoginExpired: ({ url }) => told.push(url),
      })
      const text = await (await fetch('/api/items')).text()
      await fetch('/api/cut').catch(() => {})
      while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      return { address: location.href, text, keys, told }
    })
    const keys = [server.url, server.url]
    expect(told).toEqual({ address: 'about:srcdoc', text: 'fine', keys, told: ['/api/cut'] })
    expect(faults).toEqual([])
    await vi.waitFor(() => expect(server.asked.length).toBe(2))
  })
})
