import { expect, it } from 'vitest'
import { unharmed } from '../../soak/isolation.js'
import { Report } from '../../soak/report.js'

it('I8: ten data sources are as fresh as ever beside one that runs away and one with a slow view', async () => {
  const report = new Report()
  await unharmed(report, { sources: 12, seconds: 6 })
  expect(report.broken).toEqual([])
  expect(report.checks.length).toBe(1)
}, 180_000)
