// `pnpm run frames`: the console is filled with ten minutes of samples and ten more, twenty times as fast, and then watched
// at the speed of life. Says how its heap grew, and how many frames a second it drew. Slow, and of the machine as much as
// of the page: no part of `npm test`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { startChromium } from '../scripts/chromium.mjs'

const outDir = mkdtempSync(join(tmpdir(), 'sluice-frames-'))
const root = fileURLToPath(new URL('.', import.meta.url))
const config = { root, configFile: false, logLevel: 'error', build: { outDir, emptyOutDir: true } }
await build(config)
const server = await preview({ ...config, preview: { port: 0 } })
const browser = await startChromium()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } })
  const session = await page.context().newCDPSession(page)
  await page.goto(server.resolvedUrls.local[0])
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByLabel('10 minutes').check()
  await page.getByText('Limit as a table').click()
  await page.evaluate(() => {
    const measured = { gaps: [], tasks: [] }
    let last = performance.now()
    const frame = (now) => {
      measured.gaps.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    const note = (list) => measured.tasks.push(...list.getEntries().map(({ duration }) => duration))
    new PerformanceObserver(note).observe({ type: 'longtask' })
    Object.assign(globalThis, { measured })
  })
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  await page.waitForTimeout(31_000) // 620 samples: the history is full
  const heaps = [await heapMb()]
  for (let n = 0; n < 3; n++) {
    await page.waitForTimeout(10_000)
    heaps.push(await heapMb())
  }
  // Sixty frames a second are for a person's time.
  await page.evaluate(() => globalThis.setSpeed(1))
  await page.waitForTimeout(2000)
  await page.evaluate(() => {
    globalThis.measured.gaps.length = 0
    globalThis.measured.tasks.length = 0
  })
  await page.waitForTimeout(15_000)
  const { gaps, tasks } = await page.evaluate(() => globalThis.measured)
  const sorted = [...gaps].sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1)
  const rate = gaps.length / (gaps.reduce((sum, gap) => sum + gap, 0) / 1000)
  console.log(`frames a second: ${rate.toFixed(1)}`)
  console.log(`ms a frame: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}; tasks above 50 ms: ${tasks.length}`)
  console.log(
    `heap after ten minutes of samples, and every 200 samples: ${heaps.map((mb) => mb.toFixed(2)).join(', ')} MB`,
  )
  const growth = Math.max(...heaps) - heaps[0]
  if (rate < 57 || growth > 0.5) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true })
}
