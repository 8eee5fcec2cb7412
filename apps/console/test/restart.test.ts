import { fileURLToPath } from 'node:url'
import { type Gateway, type Pipe, startGateway } from '@sluice/gateway'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, startChromium } from '../scripts/chromium.mjs'
import { watch } from './watched-page.js'

const consoleDir = fileURLToPath(new URL('../dist', import.meta.url))
const hungry: Pipe = {
  name: 'hungry',
  description: 'Is refused by the engine: there is not so much memory.',
  parameters: {},
  sql: 'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000',
}

/** A gateway that has hardly anything, so that it is there soon. */
const start = (token: string, port: number, pipe = hungry): Promise<Gateway> =>
  startGateway({
    tokens: [{ name: 'ann', token }],
    plans: { default: { ratePerSecond: 1000, burst: 1000 } },
    limit: { maxConcurrent: 4 },
    ...{ consoleDir, port, pipes: [pipe], datasets: [], shutdownGraceMs: 100 },
  })

describe.skipIf(!hasChromium)(`a gateway that goes${hasChromium ? '' : ' (skipped: chromium not found)'}`, () => {
  let browser: Browser
  let gateway: Gateway
  beforeAll(async () => {
    ;[browser, gateway] = await Promise.all([startChromium(), start('the-token-of-the-first', 0)])
  })
  afterAll(() => Promise.all([browser?.close(), gateway?.close()]))

  test('and comes back is followed again, one with other tokens asks for one', async () => {
    const { port, url } = gateway
    const page = await browser.newPage()
    const { faults } = watch(page)
    await page.goto(`${url}/#token=the-token-of-the-first`)
    const status = page.getByRole('status')
    const throttles = page.locator('[data-figure=Throttles]')
    const pipes = page.getByLabel('Pipe')
    await status.filter({ hasText: 'Live' }).waitFor()

    // A refusal of the engine's own, past the page. The limit is back within three seconds.
    const said = page.locator('.state', { hasText: 'Throttled. The engine was short of something' }).waitFor()
    const asked = await fetch(`${url}/v1/pipes/hungry`, { headers: { authorization: 'Bearer the-token-of-the-first' } })
    expect(asked.status).toBe(429)
    await expect.poll(() => throttles.textContent()).toBe('1')
    await said
    await page.getByText('Limit as a table').click()
    const marked = page.getByRole('region', { name: 'Limit, last values' }).locator('tr td:nth-child(7)')
    await expect.poll(async () => (await marked.allTextContents()).filter((it) => it === '1')).toHaveLength(1)

    await gateway.close()
    await status.filter({ hasText: 'Connection lost' }).waitFor()
    await page.getByText('the last that were told').waitFor()
    const chip = page.locator('.chip').first()
    const state = async () => [await chip.textContent(), await chip.getAttribute('data-state')]
    expect(await state()).toEqual([expect.stringMatching(/^Gateway was (ok|degraded|down)$/), 'past'])
    gateway = await start('the-token-of-the-first', port, { ...hungry, name: 'another' })
    await status.filter({ hasText: 'Live' }).waitFor()
    await expect.poll(state).toEqual(['Gateway ok', 'ok'])
    await expect.poll(() => throttles.textContent()).toBe('0')
    await expect.poll(() => pipes.inputValue()).toBe('another')
    expect(await page.getByText('the last that were told').count()).toBe(0)

    await gateway.close()
    await status.filter({ hasText: 'Connection lost' }).waitFor()
    gateway = await start('the-token-of-another', port)
    await page.getByText('The gateway does not take this token').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(faults).toEqual([])
  }, 60_000) // three engines are started
})
