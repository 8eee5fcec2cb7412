// For Stryker only: the limiter against the tables that hold it, and nothing else.
import { replay } from '@sluice/conformance/vitest'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'

replay('@sluice/core', () => import('@sluice/core'), coreSubject, {
  suites: ['backoff-scenarios', 'call-scenarios'],
  makeClock: (wallNow) => new VirtualClock(wallNow),
})
