// The console on a clock that runs as fast as it is told, fed with a status four times in each of its seconds.
import { type Clock, createPageFetch, systemClock } from '@sluice/fetch/page'
import { createRoot } from 'react-dom/client'
import { App } from '../src/page/app.js'
import { keepFocus } from '../src/page/keep-focus.js'
import '../src/style/index.css'
import { statusOf } from '../test/statuses.js'

const wall = systemClock.wallNow()
let [speed, now, since] = [20, 0, systemClock.now()]
const clock: Clock = {
  now: () => now + (systemClock.now() - since) * speed,
  wallNow: () => wall + clock.now(),
  timer: (ms, fire) => systemClock.timer(ms / speed, fire),
}
const setSpeed = (next: number): void => {
  ;[now, since, speed] = [clock.now(), systemClock.now(), next]
}
Object.assign(globalThis, { setSpeed, seconds: () => clock.now() / 1000 })

/** A limit that falls and comes back within a minute, with a job, refusals and a hold. */
function statusAt(second: number) {
  const phase = (second % 60) / 60
  const low = phase > 0.3 && phase < 0.7
  const slow = low ? 2 : 1
  return statusOf({
    ...{ limit: low ? 4 : 8, latency_ceiling: low ? 4 : 8, throttle_ceiling: phase > 0.8 && phase < 0.85 ? 4 : 8 },
    ...{ in_flight: Math.floor(8 * Math.abs(Math.sin(second))), queued: low ? 16 : 0, past_limit: low ? 1 : 0 },
    ...{ p90_ms: 40 * slow + 10 * Math.sin(second), smoothed_ms: 40 * slow, ratio: slow },
    hold_until: phase > 0.9 ? new Date(wall + second * 1000).toISOString() : null,
  })
}

const encoder = new TextEncoder()
const transport: typeof globalThis.fetch = async (input, init) => {
  if (!String(input).endsWith('/stream')) return Response.json({ pipes: [] })
  let cancel = (): void => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const tell = (): void => {
        const status = JSON.stringify(statusAt(clock.now() / 1000))
        controller.enqueue(encoder.encode(`event: status\ndata: ${status}\n\n`))
        cancel = clock.timer(250, tell)
      }
      tell()
      init?.signal?.addEventListener('abort', () => cancel())
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

sessionStorage.setItem('sluice-console-token', 'not-a-token')
const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const means = {
  clock,
  random: Math.random,
  fetch: createPageFetch({ clock, fetch: transport }),
  place: window,
  isHidden: () => document.hidden,
  timeOf: (second: number): string => times.format(second * 1000),
}
const root = document.getElementById('root')
if (root !== null) {
  keepFocus(root)
  createRoot(root).render(<App means={means} />)
}
