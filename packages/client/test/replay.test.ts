import { replay, replaySurfaces } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { playCall } from './play-call.js'
import { checkClient } from './surface-client.js'

const load = () => import('@sluice/client')

replay('@sluice/client', load, (sluice) => ({ call: (call) => playCall(call, sluice), consumesAnswer: true }), {
  makeClock: (wallNow) => new VirtualClock(wallNow),
})
replaySurfaces('@sluice/client', 'client', async (row) => checkClient(row, await load()))
