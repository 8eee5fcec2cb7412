export type {
  Subject,
  SubjectArrival,
  SubjectCall,
  SubjectDecision,
  SubjectDecisionEnd,
  SubjectEnd,
  SubjectLimit,
  SubjectSlot,
} from './conformance/cases.js'
export type { DecideFace } from './conformance/decide-row.js'
export { type LimitFace, limitOfTable } from './conformance/limit-subject.js'
export { type CallFace, failureName } from './conformance/play-call.js'
export { type PolicyFace, policyFromTable, type TablePolicy } from './conformance/policy-from-table.js'
export { coreSubject } from './conformance/subject.js'
