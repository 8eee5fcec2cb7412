import { FixedCeiling, LatencyMonitor, limitOptions } from '@sluice/core'
import type { AloneSuite } from '../suite.js'

const RECORDS = 1_000_000
const SAMPLES = 10_000
const WINDOWS = 20
const WINDOW_MS = 10_000

const options = limitOptions({ windowMs: WINDOW_MS })
const made = (): LatencyMonitor => new LatencyMonitor(options, 0, { ceiling: new FixedCeiling(options) })

/** Latencies as a backend has them: most alike, a long tail. The same at each start, since a draw may be lucky. */
const latencies = Float64Array.from({ length: SAMPLES }, (_, i) => {
  const share = (((i * 7919) % SAMPLES) + 0.5) / SAMPLES
  return 20 - 30 * Math.log(1 - share)
})

/** In one window, as they come: after the first 10 000 only some are kept (L3). */
const record = (): (() => void) => {
  const monitor = made()
  return () => {
    for (let i = 0; i < RECORDS; i++) monitor.record(latencies[i % SAMPLES] ?? 0, i / RECORDS)
  }
}

/** Full windows, each closed on its own: the filling is not timed. */
const close = (): (() => void) => {
  const monitors = Array.from({ length: WINDOWS }, () => {
    const monitor = made()
    for (const latency of latencies) monitor.record(latency, 1)
    return monitor
  })
  return () => {
    for (const monitor of monitors) monitor.settle(WINDOW_MS)
  }
}

/** What measuring costs; no peer measures. */
export const monitorSuite: AloneSuite = {
  kind: 'alone',
  name: 'latency monitor',
  what: 'a sample is recorded; a window of 10 000 samples is closed',
  rounds: 30,
  candidates: [
    { name: 'record()', units: RECORDS, prepare: record, aimNs: 10 },
    { name: 'window close', units: WINDOWS, prepare: close, aimNs: 150_000 },
  ],
}
