import { replay } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { checkArguments } from '@sluice/openapi'
import { documentOf } from './document.js'
import { replaySurface } from './surface-mcp.js'
import { endedOf } from './tool-call.js'

/** The first check of arguments imports ajv, which takes real time: done before the virtual clock runs. */
const load = async (): Promise<typeof import('@sluice/mcp')> => {
  await checkArguments(await documentOf({}).operation('items'), {})
  return import('@sluice/mcp')
}

// A tool's arguments are JSON: a stream cannot be among them (R13).
const bodies = ['none', 'replayable'] as const
replay('@sluice/mcp', load, (mcp) => ({ call: (call) => endedOf(call, mcp), bodies, consumesAnswer: true }), {
  makeClock: (wallNow) => new VirtualClock(wallNow),
})

replaySurface(load)
