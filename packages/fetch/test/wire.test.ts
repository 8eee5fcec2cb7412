import { loadTable, specTable } from '@sluice/conformance'
import { driverOf } from '@sluice/conformance/driver'
import { runWire, wireInProcess } from '@sluice/conformance/wire'
import { VirtualClock } from '@sluice/core/testing'
import * as sluice from '@sluice/fetch'
import { expect, test } from 'vitest'
import { playCall } from './play-call.js'

const { systemClock: clock } = sluice
const FEATURES = ['hints', 'presets', 'classify', 'attempt-timeout', 'deadline', 'throttle-budget']

test('over real sockets every real_time row arrives when it should', { timeout: 60_000 }, async () => {
  const driver = driverOf(
    { call: (call) => playCall(call, sluice) },
    {
      ...{ name: 'fetch', version: '0', features: FEATURES },
      makeClock: (wallNow) => new VirtualClock(wallNow),
      wire: { fetch, clock, random: Math.random },
    },
  )
  const tables = [loadTable(specTable('call-scenarios'))]
  // A busy machine is late; it must not be early.
  const { suites } = await runWire({ start: wireInProcess(driver), tables, clock, toleranceMs: 1000 })
  const rows = tables.flatMap(({ cases }) => cases.filter((row) => 'real_time' in row && row.real_time))
  expect(suites.map(({ result }) => [result.passed, result.failed, result.skipped.total])).toEqual([
    [rows.length, 0, 0],
  ])
})
