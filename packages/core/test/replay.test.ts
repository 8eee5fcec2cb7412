import { CLIENT_SUITES } from '@sluice/conformance'
import { replay, replaySurfaces } from '@sluice/conformance/vitest'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { checkExecute } from './surface-execute.js'

const load = () => import('@sluice/core')

replay('@sluice/core', load, coreSubject, { suites: CLIENT_SUITES, makeClock: (wallNow) => new VirtualClock(wallNow) })
replaySurfaces('@sluice/core', 'execute', async (row) => checkExecute(row, await load()))
