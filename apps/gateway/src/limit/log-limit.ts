import type { AdaptiveSemaphore, LimitEventType } from '@sluice/core'
import type { Logger } from '../logger.js'

/** The others say that something got worse. */
const BETTER: ReadonlySet<LimitEventType> = new Set(['throttle_recovery', 'latency_recovery'])

/** One line for each event of a node's limiter: its name, and what was known at that moment. */
export function logLimit(limiter: AdaptiveSemaphore, node: string, logger: Logger): void {
  limiter.subscribe(({ type, limit, inFlight, queued, p90Ms, smoothedMs, baselineMs, ratio, baselineTrust }) => {
    const level = BETTER.has(type) ? 'info' : 'warn'
    logger[level](type, {
      ...{ node, limit, inFlight, queued },
      ...{ p90Ms: rounded(p90Ms), smoothedMs: rounded(smoothedMs), baselineMs: rounded(baselineMs) },
      ...{ ratio: rounded(ratio), trust: baselineTrust },
    })
  })
}

function rounded(value: number | null): number | undefined {
  return value === null ? undefined : Math.round(value * 1000) / 1000
}
