import { background, createFetch } from '@sluice/fetch'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasNginx, startNginx } from './nginx.js'

describe.skipIf(!hasNginx)(
  `40 calls at once against nginx with limit_req${hasNginx ? '' : ' (skipped: nginx not found)'}`,
  () => {
    let nginx: Awaited<ReturnType<typeof startNginx>>
    beforeAll(async () => {
      nginx = await startNginx()
    })
    afterAll(() => nginx?.stop())
    // The bucket holds 10 and drains 30 a second: after this it is empty again.
    beforeEach(() => new Promise((resolve) => setTimeout(resolve, 500)))

    const successes = async (fetch: (url: string) => Promise<Response>): Promise<number> => {
      const calls = Array.from({ length: 40 }, async () => {
        const response = await fetch(nginx.url)
        await response.text()
        return response.status
      })
      return (await Promise.all(calls)).filter((status) => status === 200).length
    }

    test('a plain fetch loses most of them', async () => {
      const beganAt = performance.now()
      const count = await successes(fetch)
      // One, the bucket, and what drained meanwhile: on a slow machine forty calls take a tenth of a second or two.
      const drained = Math.ceil((30 * (performance.now() - beganAt)) / 1000)
      expect(count).toBeLessThanOrEqual(Math.min(39, 11 + drained))
    })

    test('the interactive preset gets at least 36 on the mean of four runs', { timeout: 60_000 }, async () => {
      const counts: number[] = []
      for (let run = 0; run < 4; run++) {
        counts.push(await successes(createFetch()))
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
      expect(mean, `${counts}`).toBeGreaterThanOrEqual(36)
    })

    test('the background preset gets all of them', { timeout: 60_000 }, async () => {
      expect(await successes(createFetch({ policy: background }))).toBe(40)
    })
  },
)
