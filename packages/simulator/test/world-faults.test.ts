import { describe, expect, it } from 'vitest'
import { fixed, none, seed } from '../src/controllers/ours.js'
import { play } from '../src/scenario/play.js'
import type { Fault } from '../src/scenario/scenario.js'
import { World } from '../src/world/world.js'
import { world } from './worlds.js'

/** The same work for each call, and room for all. */
const even = { work: [{ name: 'query', share: 1, meanMs: 100, sigma: 0 }], cores: 64, durationS: 100 }
const tookAround = async (faults: readonly Fault[], atS: readonly number[]) => {
  const { arrivedMs, tookMs } = await play(world({ ...even, faults }), none, 1)
  return atS.map((s) => Math.round(tookMs.values[arrivedMs.values.findIndex((ms) => ms >= s * 1000)] ?? Number.NaN))
}

describe('what happens', () => {
  it('happens again as often as it is to, and not at the end of it', async () => {
    const twice: Fault = { atS: 10, everyS: 20, untilS: 50, kind: 'speed', factor: 0.5 }
    const well: Fault = { ...twice, atS: 20, untilS: 100, factor: 1 }
    expect(await tookAround([twice, well], [5, 12, 22, 32, 42, 52])).toEqual([100, 200, 100, 200, 100, 100])
  })

  it('grows by a part of what it was', async () => {
    const grow: Fault = { atS: 20, everyS: 20, kind: 'grow', factor: 2 }
    expect(await tookAround([grow], [5, 25, 45, 65, 85])).toEqual([100, 200, 400, 800, 1600])
  })

  it('a process that stands still does nothing, and then everything at once; the server goes on', async () => {
    const suspend: Fault = { atS: 50, kind: 'suspend', forS: 10.5 }
    const plain = world({ ...even, faults: [suspend] })
    for (const policy of [null, { maxAttempts: 1 }]) {
      const it_ = await play({ ...plain, client: { ...plain.client, policy } }, fixed(1000), 1)
      expect([...it_.sent.values.subarray(50, 60)]).toEqual(Array.from({ length: 10 }, () => 0))
      expect(it_.inside.values[51]).toBe(0) // they were answered, and nobody looks
      const [came, took] = [it_.arrivedMs.values, it_.tookMs.values]
      const asleep = [...came.keys()].filter((at) => (came[at] ?? 0) >= 50_000 && (came[at] ?? 0) < 60_500)
      expect(it_.sent.values[60]).toBeGreaterThan(asleep.length)
      for (const at of asleep) expect((came[at] ?? 0) + (took[at] ?? 0)).toBeGreaterThan(60_500)
    }
  })

  it('timers of one that stands still fire when it goes on, in their order, unless they are called off by then', async () => {
    const it_ = new World(1)
    const fired: string[] = []
    const timer = (ms: number, name: string, then?: () => void) =>
      it_.timer(ms, () => {
        fired.push(`${name} ${it_.now()}`)
        then?.()
      })
    const off = timer(30, 'never')
    timer(20, 'second')
    timer(10, 'first', off)
    timer(500, 'late')
    it_.suspend(100)
    await it_.runUntil(1000)
    expect(fired).toEqual(['first 100', 'second 100', 'late 500'])
  })

  it('a wall clock that jumps changes no decision', async () => {
    const slow: Fault = { atS: 600, kind: 'speed', factor: 0.3 }
    const jump = (atS: number, hours: number): Fault => ({ atS, kind: 'wall_clock', stepMs: hours * 3_600_000 })
    const plain = world({ durationS: 900, faults: [slow] })
    const jumping = { ...plain, faults: [jump(100, 1), jump(400, -2), slow, jump(650, 1)] }
    const limits = async (it: typeof plain) => [...(await play(it, seed, 1)).limit.values]
    const expected = await limits(plain)
    expect(Math.min(...expected)).toBe(17)
    expect(await limits(jumping)).toEqual(expected)
  })

  it('an attempt that timed out is worked on to its end, for nobody', async () => {
    const it_ = world({ ...even, work: [{ name: 'query', share: 1, meanMs: 300, sigma: 0 }] })
    const client = { ...it_.client, policy: { maxAttempts: 1, attemptTimeoutMs: 200 } }
    const { arrivedMs, ok, wastedWorkMs, busy } = await play({ ...it_, client }, none, 1)
    expect(Math.max(...ok.values)).toBe(0)
    expect(wastedWorkMs.length).toBeGreaterThan(2000)
    expect(new Set(wastedWorkMs.values)).toEqual(new Set([300]))
    // Who gives up after 200 of 300 ms costs all of the 300.
    const cores = (busy.values.reduce((a, b) => a + b, 0) / busy.length) * 64
    expect(Math.abs(cores - (arrivedMs.length / 100) * 0.3)).toBeLessThan(0.03)
  })
})
