import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle, hasChromium, startChromium } from './chromium.js'
import { type PageServer, pageServer } from './page-server.js'

/** In the page. */
declare const sluice: typeof import('@sluice/fetch/page')

describe.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let server: PageServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([startChromium(), bundle('sluice-in-page.ts').then(pageServer)])
  }, 60_000)
  afterAll(() => server?.close())

  // Its object of a stream is collected while the stream is read: nothing of ours may take that for a body that was dropped.
  test('R12: a body that is being read is read to its end, whatever the collector does', async () => {
    let goOn = (): void => {}
    const collected = new Promise<void>((resolve) => {
      goOn = resolve
    })
    server.api = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first, ')
      void collected.then(() => response.end('last'))
    }
    const page = await browser.newPage()
    await page.goto(`${server.url}/`)
    await page.evaluate(async () => {
      const fetch = sluice.createPageFetch()
      const got: Record<string, string> = {}
      const byReader = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
        const [reader, decoder, parts] = [stream.getReader(), new TextDecoder(), [] as string[]]
        for (let part = await reader.read(); !part.done; part = await reader.read())
          parts.push(decoder.decode(part.value))
        return parts.join('')
      }
      const bodyOf = async (path: string) => (await fetch(path)).body as ReadableStream<Uint8Array> // each has one
      const ways: Record<string, () => Promise<string>> = {
        text: async () => (await fetch('/api/text')).text(),
        reader: async () => byReader(await bodyOf('/api/reader')),
        piped: async () => byReader((await bodyOf('/api/piped')).pipeThrough(new TransformStream())),
        wrapped: async () => new Response(await bodyOf('/api/wrapped')).text(),
      }
      for (const [way, read] of Object.entries(ways)) void read().then((text) => Object.assign(got, { [way]: text }))
      Object.assign(globalThis, { got })
    })
    await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(4)
    await page.evaluate(async () => {
      // What is young is collected again and again while so much is made; finalizers run between turns.
      for (let n = 0; n < 20; n++) {
        Object.assign(globalThis, { rubbish: Array.from({ length: 100_000 }, (_, i) => ({ i })) })
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })
    goOn()
    const whole = 'first, last'
    await expect
      .poll(() => page.evaluate(() => ({ ...(globalThis as unknown as { got: Record<string, string> }).got })))
      .toEqual({ text: whole, reader: whole, piped: whole, wrapped: whole })
    await page.close()
  })
})
