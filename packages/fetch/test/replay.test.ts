import { CLIENT_SUITES } from '@sluice/conformance'
import { replay, replaySurfaces } from '@sluice/conformance/vitest'
import { shareOfTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { limitOf } from './limit-subject.js'
import { playCall } from './play-call.js'
import { checkFetch } from './surface-fetch.js'

const load = () => import('@sluice/fetch')

replay(
  '@sluice/fetch',
  load,
  (sluice) => ({
    call: (call) => playCall(call, sluice),
    limit: (config, clock, saved) => limitOf(config, clock, sluice, saved),
    share: (shared, clock) => shareOfTable(shared, clock, sluice, (call, sharing) => playCall(call, sluice, sharing)),
  }),
  {
    suites: CLIENT_SUITES,
    makeClock: (wallNow) => new VirtualClock(wallNow),
  },
)
replaySurfaces('@sluice/fetch', 'fetch', async (row) => checkFetch(row, await load()))
