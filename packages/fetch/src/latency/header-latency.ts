import type { LatencyOf } from './latency-of.js'

const FACTOR = { s: 1000, ms: 1, us: 0.001, ns: 0.000_001 }

/**
 * Reads a figure from a header that holds nothing but a number, such as `x-envoy-upstream-service-time`.
 * @param unit what the number counts; default milliseconds
 */
export const headerLatency = (name: string, unit: 's' | 'ms' | 'us' | 'ns' = 'ms'): LatencyOf => {
  const factor = FACTOR[unit]
  return ({ headers }) => {
    const value = headers.get(name)?.trim() ?? ''
    return /^\d+(\.\d+)?$/.test(value) ? Number(value) * factor : null
  }
}

/** Reads a metric's `dur`, in ms, from the `Server-Timing` header (W3C Server Timing). */
export const serverTiming = (metric: string): LatencyOf => {
  return ({ headers }) => {
    for (const entry of (headers.get('server-timing') ?? '').split(',')) {
      const [name, ...parameters] = entry.split(';').map((part) => part.trim())
      const duration = parameters.map((part) => /^dur\s*=\s*"?(\d+(?:\.\d+)?)"?$/i.exec(part)?.[1]).find(Boolean)
      if (name === metric && duration !== undefined) return Number(duration)
    }
    return null
  }
}
