import { describe, expect, it } from 'vitest'
import { crashes } from '../../soak/crashes.js'
import { damage } from '../../soak/damage.js'
import { diskFull } from '../../soak/disk-full.js'
import { Report } from '../../soak/report.js'

describe('I4: what is accepted is kept, in processes of their own', () => {
  it('kill -9 under load of a gateway, its engine, a server and its gateway: nothing is lost, nothing is there twice', async () => {
    const report = new Report()
    await crashes(report, { rounds: 5, random: Math.random })
    expect(report.broken).toEqual([])
    expect(report.checks.map(({ promise }) => promise)).toEqual([
      '2 × kill -9 of the gateway',
      '1 × kill -9 of the engine',
      '1 × kill -9 of the server',
      '1 × kill -9 of the gateway of a server',
      'All rounds on the embedded, read at the end',
      'All rounds on the server, read at the end',
    ])
  }, 300_000)

  it('a disk that runs full: what was accepted is written by itself, and then more is accepted', async () => {
    const report = new Report()
    await diskFull(report)
    expect(report.broken).toEqual([])
    expect(report.checks.length).toBe(7)
  }, 300_000)

  it('a record that was never finished costs nothing, and a flipped bit one record, of which owners are told', async () => {
    const report = new Report()
    await damage(report)
    expect(report.broken).toEqual([])
    expect(report.checks.length).toBe(5)
  }, 300_000)
})
