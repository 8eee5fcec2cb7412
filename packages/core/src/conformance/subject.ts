import type { Subject } from './cases.js'
import { type DecideFace, decideRow } from './decide-row.js'
import { type LimitFace, limitOfTable } from './limit-subject.js'
import { type CallFace, playCall } from './play-call.js'

/**
 * This package as a subject of the tables: calls go through `execute()`, rows of scope `decision`
 * through `decide()`, limits over time through `AdaptiveSemaphore`.
 *
 * @param face the module that is called: `import * as face from '@sluice/core'`, or one that re-exports it
 */
export const coreSubject = (face: CallFace & DecideFace & LimitFace): Subject => ({
  call: (call) => playCall(call, face),
  decide: (row) => decideRow(row, face),
  limit: (config, clock) => limitOfTable(config, clock, face),
})
