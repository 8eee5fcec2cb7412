import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasNginx, startNginx } from '../../fetch/test/nginx.js'
import { sluice } from './child.js'

describe.skipIf(!hasNginx)(
  `processes against nginx with limit_req${hasNginx ? '' : ' (skipped: nginx not found)'}`,
  () => {
    let nginx: Awaited<ReturnType<typeof startNginx>>
    beforeAll(async () => {
      nginx = await startNginx()
    })
    afterAll(() => nginx?.stop())

    test('ten at once all succeed with the background preset', { timeout: 60_000 }, async () => {
      const request = ['request', 'GET', nginx.url, '--preset', 'background']
      const codes = await Promise.all(Array.from({ length: 10 }, async () => (await sluice(request)).code))
      expect(codes).toEqual(Array.from({ length: 10 }, () => 0))
    })
  },
)
