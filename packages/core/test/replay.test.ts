import { replay } from '@sluice/conformance/vitest'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'

replay('@sluice/core', () => import('@sluice/core'), coreSubject, { makeClock: (wallNow) => new VirtualClock(wallNow) })
