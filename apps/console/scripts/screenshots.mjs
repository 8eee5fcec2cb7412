// Takes the pictures in docs/console/ of a gateway that runs: `npm start -- --act burst` in one terminal, and in another
// `pnpm run screenshots "http://127.0.0.1:8787/#token=…"` with the address that it prints. Starts its surge. With
// `--act ingest` there are data sources: then those are shown, and one is sent too much. They are kept small: `pngquant --force --ext .png --speed 1 64 docs/console/*.png`.
import { fileURLToPath } from 'node:url'
import { startChromium } from './chromium.mjs'

const [, , url = ''] = process.argv
const folder = fileURLToPath(new URL('../../../docs/console/', import.meta.url))
const wide = { width: 1120, height: 1010 }
const tall = { width: 1120, height: 1180 }
const narrow = { width: 360, height: 760 }

const browser = await startChromium()
const page = await (await browser.newContext({ viewport: wide, locale: 'en-GB' })).newPage()
const shoot = async (name, { viewport = wide, colorScheme = 'light' } = {}) => {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  await page.waitForTimeout(1200) // the charts are drawn again with the next sample
  await page.screenshot({ path: `${folder}${name}.png` })
  console.log(name)
}
const surgeIs = (words) => page.getByText(words).waitFor({ timeout: 120_000 })

try {
  await page.goto(url)
  await page.getByText('Live', { exact: true }).waitFor()
  const hasSources = (await page.getByRole('heading', { name: 'Data sources' }).count()) > 0
  await (hasSources ? shootSources() : shootSurge())
} finally {
  await browser.close()
}

/** So many partitions that the data source is delayed for some seconds. */
async function overload(name) {
  const { origin, hash } = new URL(url)
  const token = new URLSearchParams(hash.slice(1)).get('token')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let from = 0; from < 4000; from += 1000) {
    // A request may have rows of a thousand partitions, and here a day is one.
    const rows = Array.from({ length: 1000 }, (_, index) => {
      const number = from + index
      const departure = new Date((number % 2000) * 86_400_000).toISOString()
      return { number: 1_000_000 + number, departure, delay: 0, distance: 0, origin: 'ORD', destination: 'DEN' }
    })
    const answer = await fetch(`${origin}/v1/datasources/${name}/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(rows),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

async function shootSources() {
  await page.setViewportSize(tall)
  await overload('runaway')
  await page.locator('tr[data-source=runaway]', { hasText: 'Delayed' }).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'runaway', exact: true }).click()
  await page.getByRole('button', { name: 'Pause writing…' }).waitFor()
  await page.getByText('are held back').first().waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await shoot('sources', { viewport: tall })
}

async function shootSurge() {
  await page.getByRole('button', { name: 'Start the surge' }).click()
  await surgeIs('all is well…')
  await page.waitForTimeout(6000)
  await shoot('calm')
  await surgeIs('A batch job runs')
  await page.getByText('Slowed down').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3000)
  await shoot('surge')
  await shoot('surge-dark', { colorScheme: 'dark' })
  await shoot('narrow', { viewport: narrow })
  await page.setViewportSize(wide)
  await surgeIs('Not running')
  await page.getByRole('button', { name: 'Run' }).evaluate(async (button) => {
    for (let n = 0; n < 14; n++) {
      button.click()
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('.retry-banner:not(:empty)').waitFor()
  await page.waitForTimeout(400) // it has risen
  await page.screenshot({ path: `${folder}throttled-dark.png` })
  console.log('throttled-dark')
}
