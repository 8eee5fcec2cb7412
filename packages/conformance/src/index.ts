export type { MakeClock, ReplayClock } from './clock.js'
export { explainCase, UnknownCaseError } from './explain/explain-case.js'
export { nearest } from './explain/nearest.js'
export type { LimitArrival, LimitCall, LimitSlot, LimitSubject } from './limit-subject.js'
export type { MachineSubject } from './machine-subject.js'
export type { PrettyOptions } from './report/pretty.js'
export { exitCodeOf, type Report, type SuiteReport } from './report/report.js'
export { type Reporter, type ReporterName, reporters } from './report/reporters.js'
export type { CaseResult, Verdict } from './run/case-result.js'
export { formatMismatch, type Mismatch } from './run/mismatch.js'
export { entriesOf, runCase, type TableEntry } from './run/run-case.js'
export { type RunOptions, runTable, type TableResult } from './run/run-table.js'
export type { Answer } from './script/answer.js'
export { type ScriptedFetch, type ScriptOptions, type Send, scriptedFetch } from './script/scripted-fetch.js'
export { type GlobChoice, globFilter, unmatchedGlobs } from './select/globs.js'
export {
  applyKnownFailing,
  checkKnownFailing,
  type KnownFailing,
  KnownFailingError,
  parseKnownFailing,
} from './select/known-failing.js'
export type { Shared, SharedEnded, SharedSubject } from './shared-subject.js'
export type { BodyKind, Call, DecisionActual, DecisionRow, Ended, Subject } from './subject.js'
export { documentProblems } from './table/document-problems.js'
export type {
  IngestScenario,
  IngestTable,
  MachineConfig,
  MachineReading,
  MachineStep,
} from './table/ingest-table.js'
export type {
  LimitConfig,
  LimitExpectation,
  LimitReading,
  LimitScenario,
  LimitStep,
  LimitStepActual,
  LimitTable,
  Refusal,
} from './table/limit-table.js'
export { loadTable, parseTable } from './table/load.js'
export { loadTables } from './table/load-tables.js'
export { RULES } from './table/rules.js'
export { specTable } from './table/schemas.js'
export { checkScope } from './table/scope.js'
export type {
  Look,
  LookExpectation,
  SharedCall,
  SharedExpectation,
  SharedScenario,
} from './table/shared-scenario.js'
export {
  CALL_SUITES,
  type CallScenario,
  CLIENT_SUITES,
  isShared,
  type RetryCase,
  type RetryExpectation,
  type RetryTable,
  type ScenarioExpectation,
  type ScenarioRequest,
  type ScenarioTable,
  SUITES,
  type Suite,
  type Table,
  type TableCase,
  type TablePolicy,
} from './table/table.js'
export { TableError } from './table/table-error.js'
export { type TableCheck, validateTables } from './table/validate-tables.js'
