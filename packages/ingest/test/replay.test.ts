// Every row of ingest-scenarios.json through the package's public entry.
import { replay } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { machineOfTable } from '@sluice/ingest/conformance'

const call = (): never => {
  throw new Error('no row of this suite makes a call')
}

replay(
  '@sluice/ingest',
  () => import('@sluice/ingest'),
  (ingest) => ({ call, machine: machineOfTable(ingest) }),
  {
    suites: ['ingest-scenarios'],
    makeClock: (wallNow) => new VirtualClock(wallNow),
  },
)
