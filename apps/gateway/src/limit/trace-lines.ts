import type { LimitConfig } from './limit-config.js'
import type { LimitReport } from './node-limiter.js'

/**
 * The first line of a trace: when the limiter was made, and how it was set, as far as that decides what a replay comes to.
 * `sluice replay` reads it.
 */
export function traceHead({ limit, expectedP90Ms }: LimitConfig, createdAtMs: number): string {
  const { floor, maxConcurrent } = limit
  const isHalf = floor === Math.max(1, Math.floor(maxConcurrent / 2)) // then it is half of another maximum, too
  const trace = {
    version: 1,
    created_at_ms: createdAtMs,
    controller: limit.controller,
    max_concurrent: maxConcurrent,
    floor: isHalf ? null : floor,
    window_ms: limit.windowMs,
    min_samples: limit.minSamples,
    warmup_windows: limit.warmupWindows,
    smoothing_time_constant_ms: limit.smoothingTimeConstantMs,
    smoothing_samples: limit.smoothingSamples,
    baseline_time_constant_ms: limit.baselineTimeConstantMs,
    backoff_ratio: limit.backoffRatio,
    recovery_ratio: limit.recoveryRatio,
    decrease_factor: limit.decreaseFactor,
    overdraft_ms: limit.overdraftMs,
    shedding: limit.shedding,
    max_freeze_ms: limit.maxFreezeMs,
    max_hold_ms: limit.maxHoldMs,
    expected_p90_ms: expectedP90Ms ?? null,
    latency_control: limit.latencyControl,
    shadow: limit.shadow,
  }
  return JSON.stringify({ trace })
}

/** A line of it: when an attempt ended, how long it took, what it shared the node with, and how it ended. */
export function traceLine({ atMs, report, inFlight, waitedMs }: LimitReport): string {
  const latencyMs = 'latencyMs' in report ? report.latencyMs : null
  const line = { timestamp: atMs, latency_ms: latencyMs, in_flight: inFlight, waited_ms: waitedMs }
  switch (report.kind) {
    case 'success':
      return JSON.stringify({ ...line, status: 200 })
    case 'timeout':
      return JSON.stringify({ ...line, status: 504, timeout: true })
    case 'throttle':
      return JSON.stringify({ ...line, status: 429, retry_after_ms: report.retryAfterMs })
    case 'failure':
      return JSON.stringify({ ...line, status: 500 })
  }
}
