// Makes the trace behind docs/limiter.svg, as CSV on stdout: the same one each time. Two days of a server that 20 calls a
// second ask, of which 17 are in flight, a line for every five of them: a daily rhythm of ±6 %, a surge of 1.7 times for
// 45 minutes, and one of 1.5 times for 18. docs/limiter.md says what is done with it, and its test does it.
import { once } from 'node:events'

const BEGINS_MS = Date.UTC(2026, 0, 1)
const SEED = 3
const WINDOW_MS = 10_000
const WINDOWS = (2 * 86_400_000) / WINDOW_MS
const LINES = 40
const CALLS_A_LINE = 5
const MEDIAN_MS = 800
/** How much a call differs from the median, as the standard deviation of a logarithm. */
const SPREAD = 0.37
const SURGES = [
  { from: 14.5, minutes: 45, times: 1.7 },
  { from: 33, minutes: 18, times: 1.5 },
]

let state = SEED
/** Mulberry32: at least 0, below 1. */
function draw() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Normally distributed, by Box and Muller. */
const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())

function medianAt(hours) {
  const surge = SURGES.find(({ from, minutes }) => hours >= from && hours < from + minutes / 60)
  return MEDIAN_MS * (1 + 0.06 * Math.sin((2 * Math.PI * (hours - 9)) / 24)) * (surge?.times ?? 1)
}

process.stdout.write('time,latency_ms,count\n')
for (let window = 0; window < WINDOWS; window++) {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const sinceMs = window * WINDOW_MS + Math.round(((line + 0.5) * WINDOW_MS) / LINES)
    const latencyMs = medianAt(sinceMs / 3_600_000) * Math.exp(SPREAD * normal())
    return `${new Date(BEGINS_MS + sinceMs).toISOString()},${latencyMs.toFixed(1)},${CALLS_A_LINE}\n`
  })
  if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain')
}
