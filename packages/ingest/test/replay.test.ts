// Every row of ingest-scenarios.json through the package's public entry.
import { readFileSync } from 'node:fs'
import { replayRows } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { retryAfterSeconds } from '@sluice/ingest'
import { tables } from '@sluice/spec'
import { expect } from 'vitest'
import { drainRate, quota, saturationClock, temporalLimit } from './machines/limits.js'
import type { Json, Machine, MakeMachine } from './machines/machine.js'
import { router } from './machines/router.js'
import { bounds, gatherer, keyedBreaker, notices } from './machines/sources.js'

const MACHINES: Readonly<Record<string, MakeMachine>> = {
  ...{ gatherer, bounds, notices, quota, router },
  keyed_breaker: keyedBreaker,
  saturation_clock: saturationClock,
  drain_rate: drainRate,
  temporal_limit: temporalLimit,
}

interface Row {
  readonly id: string
  readonly rule: string
  readonly name: string
  readonly machine: string
  readonly config?: Json
  readonly steps: readonly Json[]
}

const table: { config: Record<string, Json>; cases: Row[] } = JSON.parse(
  readFileSync(tables['ingest-scenarios'], 'utf8'),
)

/** One row on a fresh clock: what is seen after each step beside what is expected of it. */
async function play({ machine: name, config, steps }: Row): Promise<void> {
  const make = MACHINES[name]
  if (!make) throw new Error(`no machine is called ${name}`)
  const settings = { ...table.config[name], ...config }
  let clock = new VirtualClock()
  let machine: Machine = make(settings, clock, undefined)
  for (const [i, { expect: wanted, ...step }] of steps.entries()) {
    const [[action, of] = ['', undefined], ...more] = Object.entries(step)
    if (more.length > 0) throw new Error(`steps[${i}] does more than one thing`)
    let did: Json = {}
    if (action === 'advance_ms') await clock.advance(Number(of))
    else if (action === 'restart') {
      const saved: unknown = JSON.parse(JSON.stringify(machine.save?.()))
      clock = new VirtualClock()
      machine = make(settings, clock, saved)
    } else {
      const act = machine.actions[action]
      if (!act) throw new Error(`${name} has no action ${action}`)
      did = (await act(of as Json)) ?? {}
    }
    const seen = { ...machine.read(Object(of)), ...did }
    const waitMs = 'retry_after_ms' in seen ? seen.retry_after_ms : null
    const stated = typeof waitMs === 'number' ? { retry_after_s: retryAfterSeconds(waitMs) } : {}
    if (wanted !== undefined) compare(`steps[${i}]`, wanted, { ...seen, ...stated })
  }
}

/** Numbers within a millionth; of objects what is stated; lists whole. */
function compare(at: string, wanted: unknown, seen: unknown): void {
  if (typeof wanted === 'number' && typeof seen === 'number') {
    expect(Math.abs(seen - wanted), `${at}: ${wanted} expected, ${seen} seen`).toBeLessThanOrEqual(
      1e-6 * Math.abs(wanted),
    )
  } else if (Array.isArray(wanted) && Array.isArray(seen)) {
    expect(seen.length, `${at}: ${JSON.stringify(seen)}`).toBe(wanted.length)
    for (const [i, one] of wanted.entries()) compare(`${at}[${i}]`, one, seen[i])
  } else if (typeof wanted === 'object' && wanted !== null) {
    expect(seen, at).toBeTypeOf('object')
    for (const [name, one] of Object.entries(wanted)) compare(`${at}.${name}`, one, Object(seen)[name])
  } else expect(seen, at).toBe(wanted)
}

replayRows('@sluice/ingest', 'ingest-scenarios', table.cases, play)
