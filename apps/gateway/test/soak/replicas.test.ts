import { expect, it } from 'vitest'
import { replicas } from '../../soak/replicas.js'
import { Report } from '../../soak/report.js'

it('I4, I6: of three replicas one is killed, one slow, one stopped, and all is rerouted: nothing is lost or there twice', async () => {
  const report = new Report()
  await replicas(report, { sources: 6, faultMs: 1000, random: Math.random })
  expect(report.broken).toEqual([])
  expect(report.checks.length).toBe(4)
}, 300_000)
