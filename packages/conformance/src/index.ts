export type { MakeClock, ReplayClock } from './clock.js'
export type { CaseResult, Verdict } from './run/case-result.js'
export { formatMismatch, type Mismatch } from './run/mismatch.js'
export { entriesOf, runCase, type TableEntry } from './run/run-case.js'
export { type RunOptions, runTable, type TableResult } from './run/run-table.js'
export type { Answer } from './script/answer.js'
export { type ScriptedFetch, type ScriptOptions, type Send, scriptedFetch } from './script/scripted-fetch.js'
export type { BodyKind, Call, DecisionActual, DecisionRow, Ended, Subject } from './subject.js'
export { loadTable, parseTable } from './table/load.js'
export { RULES } from './table/rules.js'
export { specTable } from './table/schemas.js'
export { checkScope } from './table/scope.js'
export {
  type CallScenario,
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
