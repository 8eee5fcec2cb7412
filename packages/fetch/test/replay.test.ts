import { replay, replaySurfaces } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { playCall } from './play-call.js'
import { checkFetch } from './surface-fetch.js'

const load = () => import('@sluice/fetch')

replay('@sluice/fetch', load, (sluice) => ({ call: (call) => playCall(call, sluice) }), {
  makeClock: (wallNow) => new VirtualClock(wallNow),
})
replaySurfaces('@sluice/fetch', 'fetch', async (row) => checkFetch(row, await load()))
