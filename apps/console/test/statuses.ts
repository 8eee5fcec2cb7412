import type { NodeLimit, Status } from '@sluice/client'

export const wellLimit: NodeLimit = {
  ...{ limit: 8, throttle_ceiling: 8, latency_ceiling: 8, in_flight: 2, queued: 0, past_limit: 0, throttles: 0 },
  ...{ p90_ms: 42, smoothed_ms: 41, baseline_ms: 40, ratio: 1.025, baseline_trust: 'trusted' },
  ...{ shedding: false, overdraft_left_ms: 120_000 },
  ...{ hold_until: null, window_ms: 1000, max_concurrent: 8, controller: 'knee' },
}

export const statusOf = (limit: Partial<NodeLimit> = {}): Status => ({
  state: 'ok',
  at: '2026-01-01T12:00:00.000Z',
  nodes: [{ name: 'clickhouse-1', state: 'up', limit: { ...wellLimit, ...limit } }],
  data_sources: [],
})
