import { expect, it } from 'vitest'
import { counted } from '../../soak/counted.js'
import { names } from '../../soak/names.js'
import { Report } from '../../soak/report.js'

it('I4: rows that were answered as written are there for the next query', async () => {
  const report = new Report()
  await counted(report, 20_000)
  expect(report.checks.map(({ isKept, found }) => [isKept, found])).toEqual([
    [true, '20000 rows, 20000 different ones'],
  ])
}, 300_000)

it('names of data sources that there are not are 404, and leave nothing behind', async () => {
  const report = new Report()
  await names(report, 1000)
  expect(report.broken).toEqual([])
  expect(report.checks.length).toBe(3)
}, 300_000)
