import { CLIENT_SUITES, loadTable, specTable } from '@sluice/conformance'
import { driverOf, inProcess, runSession } from '@sluice/conformance/driver'
import { runWire, wireInProcess } from '@sluice/conformance/wire'
import * as core from '@sluice/core'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { expect, test } from 'vitest'

const { systemClock: clock } = core
const FEATURES = [
  ...['hints', 'presets', 'classify', 'attempt-timeout', 'deadline', 'throttle-budget', 'retry-budget'],
  ...['limiter', 'prior', 'shadow', 'events', 'knee', 'restart'],
]
const tables = CLIENT_SUITES.map((suite) => loadTable(specTable(suite)))
const driver = driverOf(coreSubject(core), {
  ...{ name: 'core', version: '0', features: FEATURES },
  makeClock: (wallNow) => new VirtualClock(wallNow),
  wire: { fetch, clock, random: Math.random },
})

test('as a driver, core passes every row over the protocol', { timeout: 60_000 }, async () => {
  const suites = await runSession(inProcess(driver), { tables })
  expect(suites.map(({ result }) => [result.failed, result.skipped.total])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
})

test('in wire mode, over real sockets, it passes every real_time row', { timeout: 60_000 }, async () => {
  // A busy machine is late; it must not be early.
  const { suites } = await runWire({ start: wireInProcess(driver), tables, clock, toleranceMs: 1000 })
  expect(suites.map(({ result }) => [result.failed, result.skipped.total])).toEqual([[0, 0]])
})
