// `pnpm run frames`: the console is filled with ten minutes of samples and ten more, twenty times as fast, and then watched
// at the speed of life. Says how its heap grew, and how many frames a second it drew. Slow, and of the machine as much as
// of the page: no part of `npm test`. An empty page is watched before and after: where that one, too, draws too few, the
// machine has other work, and the console is watched again. Exit codes: 0 well, 1 the page is too slow or grows, 2 the
// machine was never free enough to tell.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { startChromium } from '../scripts/chromium.mjs'

const FEWEST_FRAMES = 57
const MOST_GROWTH_MB = 0.5
const TRIES = 6

const outDir = mkdtempSync(join(tmpdir(), 'sluice-frames-'))
const root = fileURLToPath(new URL('.', import.meta.url))
const config = { root, configFile: false, logLevel: 'error', build: { outDir, emptyOutDir: true } }
await build(config)
const server = await preview({ ...config, preview: { port: 0 } })
const browser = await startChromium()
try {
  const viewport = { width: 1280, height: 1600 }
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(120_000) // a machine that is busy is slow, not broken
  const session = await page.context().newCDPSession(page)
  await page.goto(server.resolvedUrls.local[0])
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByLabel('10 minutes').check()
  await page.getByText('Limit as a table').click()
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  // By its own clock: twenty samples a second may be too many for a machine that is busy.
  const samples = async (count) => {
    const from = await page.evaluate(() => globalThis.seconds())
    await page.waitForFunction((until) => globalThis.seconds() >= until, from + count, { polling: 500 })
  }
  await samples(620) // the history is full
  const heaps = [await heapMb()]
  for (let n = 0; n < 3; n++) {
    await samples(200)
    heaps.push(await heapMb())
  }
  console.log(
    `heap after ten minutes of samples, and every 200 samples: ${heaps.map((mb) => mb.toFixed(2)).join(', ')} MB`,
  )
  // Sixty frames a second are for a person's time.
  await page.evaluate(() => globalThis.setSpeed(1))

  let verdict = 2
  for (let n = 1; n <= TRIES && verdict === 2; n++) {
    const before = await empty(viewport)
    await page.bringToFront()
    await page.waitForTimeout(2000)
    const drawn = await framesOf(page, 15_000)
    const after = await empty(viewport)
    const bare = Math.min(before.rate, after.rate)
    const { rate, p50, p99, longest, tasks } = drawn
    console.log(
      `${n}. frames a second: ${rate.toFixed(1)}; of an empty page, before and after: at least ${bare.toFixed(1)}`,
    )
    console.log(`   ms a frame: p50 ${p50}, p99 ${p99}, longest ${longest}; tasks above 50 ms: ${tasks}`)
    if (rate >= FEWEST_FRAMES) verdict = 0
    else if (bare >= FEWEST_FRAMES) verdict = 1
  }
  if (verdict === 2)
    console.log('The machine had other work all the time: how many frames the page draws is not known.')
  process.exitCode = Math.max(...heaps) - heaps[0] > MOST_GROWTH_MB ? 1 : verdict
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true })
}

/** The frames of a page with nothing in it. */
async function empty(viewport) {
  const page = await browser.newPage({ viewport })
  await page.bringToFront()
  const drawn = await framesOf(page, 4000)
  await page.close()
  return drawn
}

/** How a page draws, for so long. */
async function framesOf(page, ms) {
  const { gaps, tasks } = await page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        const gaps = []
        let tasks = 0
        const observer = new PerformanceObserver((list) => {
          tasks += list.getEntries().length
        })
        observer.observe({ type: 'longtask' })
        const from = performance.now()
        let last
        const frame = (now) => {
          if (last !== undefined) gaps.push(now - last)
          last = now
          if (performance.now() - from < ms) return requestAnimationFrame(frame)
          observer.disconnect()
          resolve({ gaps, tasks })
        }
        requestAnimationFrame(frame)
      }),
    ms,
  )
  const sorted = gaps.sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1)
  const rate = gaps.length / (gaps.reduce((sum, gap) => sum + gap, 0) / 1000)
  return { rate, p50: at(0.5), p99: at(0.99), longest: at(1), tasks }
}
