import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
// The machine's own Chromium, started as for the page's tests.
import { bundle, hasChromium, startChromium } from '../../fetch/test/page/chromium.js'
import { hashes } from './same-bytes-program.mjs'

declare const inPage: typeof hashes // in the page

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const files = {
  'surge-double': read('../scenarios/01-surge-double.json'),
  metastable: read('../scenarios/09-metastable.json'),
}
/** What was recorded when this was written; scripts/check-packages.mjs holds every Node that is supported to it, too. */
const pinned = read('same-bytes.json')

describe('the same seed gives the same bytes', () => {
  it('as they were', async () => expect(await hashes(files)).toEqual(pinned))

  it.skipIf(!hasChromium)(`in Chromium${hasChromium ? '' : ' (skipped: chromium not found)'}`, async () => {
    const contents = "import { hashes } from './same-bytes-program.mjs'; Object.assign(globalThis, { inPage: hashes })"
    const resolveDir = fileURLToPath(new URL('.', import.meta.url))
    const [browser, script] = await Promise.all([startChromium(), bundle({ contents, resolveDir })])
    try {
      const page = await browser.newPage()
      await page.evaluate(script)
      const told = await page.evaluate((given) => inPage(given), files)
      expect(told).toEqual(pinned)
    } finally {
      await browser.close()
    }
  })
})
