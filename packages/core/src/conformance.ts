export type {
  LimitReading,
  SharedEnd,
  Subject,
  SubjectArrival,
  SubjectCall,
  SubjectDecision,
  SubjectDecisionEnd,
  SubjectEnd,
  SubjectLimit,
  SubjectShared,
  SubjectSharing,
  SubjectSlot,
} from './conformance/cases.js'
export type { DecideFace } from './conformance/decide-row.js'
export { type LimitFace, limitOfTable, type RefusalFace, refusalName } from './conformance/limit-subject.js'
export { type CallFace, failureName, type Sharing } from './conformance/play-call.js'
export { type PolicyFace, policyFromTable, type TablePolicy } from './conformance/policy-from-table.js'
export { limiterAmongOthers, type ShareFace, type SharingFace, shareOfTable } from './conformance/share-table.js'
export { coreSubject } from './conformance/subject.js'
