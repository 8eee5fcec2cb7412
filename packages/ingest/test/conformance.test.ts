import { VirtualClock } from '@sluice/core/testing'
import * as ingest from '@sluice/ingest'
import { machineOfTable } from '@sluice/ingest/conformance'
import { expect, test } from 'vitest'

const machine = machineOfTable(ingest)
const make = (name: string, config: Record<string, unknown>) => machine(name, config, new VirtualClock(0), undefined)

test.each([
  ['gatherer', { flush_interval_ms: 0 }, 'flush_interval_ms'],
  ['gatherer', { flush_interval_ms: 1000, max_rows: 1.5 }, 'max_rows'],
  ['keyed_breaker', { flush_interval_ms: 1000, random: 0, hold_jitter: 2 }, 'hold_jitter'],
  ['keyed_breaker', { flush_interval_ms: 1000, random: 0, holds_ms: 5 }, 'holds_ms'],
  ['saturation_clock', { max_gap_ms: 0 }, 'max_gap_ms'],
  ['temporal_limit', { growth: 0.9 }, 'growth'],
  ['quota', { rate_per_second: '5' }, 'rate_per_second'],
  ['bounds', { max_total_bytes: null }, 'max_total_bytes'],
  ['router', { nodes: [], scores: {} }, 'nodes'],
  ['notices', { max_notices: 0 }, 'max_notices'],
])('R17: %s refuses %j in the table’s words', (name, config, field) => {
  expect(make(name, config)).toEqual({ config_error: field })
})

test('a machine or a step that there is not is an error, and no refusal', () => {
  expect(() => make('gather', {})).toThrow('no machine is called gather; there are gatherer, bounds, notices, quota, ')
  const quota = make('quota', {})
  if ('config_error' in quota) throw new Error('it is sound')
  expect(() => quota.act('send', {})).toThrow('quota has no step send; there are take')
})
