import { type CaseResult, CLIENT_SUITES, entriesOf, formatMismatch, loadTable, specTable } from '@sluice/conformance'
import { driverOf } from '@sluice/conformance/driver'
import { runWire, wireInProcess } from '@sluice/conformance/wire'
import { systemClock as clock } from '@sluice/fetch'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle, hasChromium, startChromium } from './chromium.js'
import { corsProxy } from './cors-proxy.js'
import type { InPage } from './in-page.js'

declare const inPage: InPage // in the page

describe.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let script: string
  beforeAll(async () => {
    ;[browser, script] = await Promise.all([startChromium(), bundle('in-page.ts')])
  }, 60_000)
  afterAll(async () => {
    for (const page of pages) await page.close()
  })

  const pages: Page[] = []
  const open = async (address = 'about:blank'): Promise<Page> => {
    const page = await browser.newPage()
    pages.push(page)
    await page.goto(address)
    await page.evaluate(script)
    return page
  }

  describe.each(CLIENT_SUITES)('@sluice/fetch/page replays %s in the page itself', (suite) => {
    // Of the draws that a row stands for one will do: what becomes of a draw is the same in Node, where all are tried.
    const entries = entriesOf(loadTable(specTable(suite))).map((one) =>
      one.suite === 'backoff-scenarios' ? one : { ...one, row: { random: 0.5, ...one.row } },
    )
    const results = new Map<string, CaseResult>()
    beforeAll(async () => {
      const page = await open()
      // An entry is JSON, as its table is.
      const told = await page.evaluate((all) => inPage.replay(all as never), entries as unknown[])
      for (const result of told) results.set(result.id, result)
    }, 120_000)

    for (const { id, name } of entries.map(({ row }) => row))
      test(`${id}: ${name}`, (context) => {
        const result = results.get(id)
        if (!result) throw new Error(`${id} was not played`)
        if (result.verdict === 'skipped') {
          expect(result.skipReason).toBe('decision') // a page has no decision function
          context.skip('decision')
        }
        if (result.verdict !== 'passed') throw new Error(formatMismatch(result))
        if (result.mustSend) expect(result.sends).toBeGreaterThan(0)
      })
  })

  describe('over real sockets every real_time row arrives when it should', () => {
    const table = loadTable(specTable('call-scenarios'))
    const rows = table.cases.filter((row) => 'real_time' in row && row.real_time)
    const features = ['hints', 'presets', 'classify', 'attempt-timeout', 'deadline', 'throttle-budget']

    /** @param meet opens the page that calls this server, and says where it finds it */
    const play = async (meet: (server: string) => Promise<{ page: Page; at: string }>): Promise<CaseResult[]> => {
      let met: ReturnType<typeof meet> | undefined
      const driver = driverOf(
        {
          async call({ policy, request }) {
            const { origin } = new URL(request.url)
            met ??= meet(origin)
            const { page, at } = await met
            const url = request.url.replace(origin, at)
            return page.evaluate((call) => inPage.call(call), { policy, request: { ...request, url } })
          },
        },
        { ...{ name: 'page', version: '0', features }, wire: { fetch, clock, random: Math.random } },
      )
      const results: CaseResult[] = []
      // A busy machine is late; it must not be early. A browser has six connections to a server.
      const bounds = { toleranceMs: 1000, concurrency: 6 }
      const onCase = (result: CaseResult): void => void results.push(result)
      await runWire({ start: wireInProcess(driver), tables: [table], clock, onCase, ...bounds })
      return results
    }
    const summary = (results: CaseResult[]): string[] =>
      results.map((result) => (result.verdict === 'passed' ? 'passed' : formatMismatch(result)))
    const all = rows.map(() => 'passed')

    test.concurrent('at the page’s own server', { timeout: 60_000 }, async () => {
      const results = await play(async (server) => ({ page: await open(`${server}/`), at: server }))
      expect(summary(results)).toEqual(all)
    })

    test.concurrent('and at one of another origin', { timeout: 60_000 }, async () => {
      const proxies: Awaited<ReturnType<typeof corsProxy>>[] = []
      const results = await play(async (server) => {
        const proxy = await corsProxy(server)
        proxies.push(proxy)
        return { page: await open(`${server}/`), at: proxy.url }
      })
      for (const proxy of proxies) proxy.close()
      expect(summary(results)).toEqual(all)
    })
  })
})
