import type { Subject } from './cases.js'
import { type DecideFace, decideRow } from './decide-row.js'
import { limitOfTable } from './limit-subject.js'
import { type CallFace, playCall } from './play-call.js'
import { type ShareFace, shareOfTable } from './share-table.js'

/**
 * This package as a subject of the tables: calls go through `execute()`, rows of scope `decision`
 * through `decide()`, limits over time through `AdaptiveSemaphore`, and calls that share
 * one through `execute()` again.
 *
 * @param face the module that is called: `import * as face from '@sluice/core'`, or one that re-exports it
 */
export const coreSubject = (face: CallFace & DecideFace & ShareFace): Subject => ({
  call: (call) => playCall(call, face),
  decide: (row) => decideRow(row, face),
  limit: (config, clock, saved) => limitOfTable(config, clock, face, saved),
  share: (shared, clock) => shareOfTable(shared, clock, face, (call, sharing) => playCall(call, face, sharing)),
})
