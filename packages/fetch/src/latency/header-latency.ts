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

/** Between two separators: what is quoted may hold them. */
const ENTRIES = /(?:"(?:\\.|[^"\\])*"|[^",])+/g
const PARTS = /(?:"(?:\\.|[^"\\])*"|[^";])+/g

/** More than a server has to tell; a longer header is read up to here. */
const MOST_CHARACTERS = 4096

/** Reads a metric's `dur`, in ms, from the `Server-Timing` header (W3C Server Timing). */
export const serverTiming = (metric: string): LatencyOf => {
  return ({ headers }) => {
    const header = headers.get('server-timing')?.slice(0, MOST_CHARACTERS)
    for (const entry of header?.match(ENTRIES) ?? []) {
      const [name, ...parameters] = (entry.match(PARTS) ?? []).map((part) => part.trim())
      const duration = parameters.map((part) => /^dur\s*=\s*"?(\d+(?:\.\d+)?)"?$/i.exec(part)?.[1]).find(Boolean)
      if (name === metric && duration !== undefined) return Number(duration)
    }
    return null
  }
}
