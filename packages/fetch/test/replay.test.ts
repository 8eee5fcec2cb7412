import { replay } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { playCall } from './play-call.js'

replay(
  '@sluice/fetch',
  () => import('@sluice/fetch'),
  (sluice) => ({ call: (call) => playCall(call, sluice) }),
  { makeClock: (wallNow) => new VirtualClock(wallNow) },
)
