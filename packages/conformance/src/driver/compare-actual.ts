import { compareWaits } from '../run/call-scenario.js'
import { compareLimitSteps, compareReading } from '../run/compare-limit.js'
import { compareMachineSteps } from '../run/compare-machine.js'
import type { Comparison } from '../run/mismatch.js'
import { compareDecision } from '../run/retry-case.js'
import type { TableEntry } from '../run/run-case.js'
import type { MachineReading } from '../table/ingest-table.js'
import type { LimitStepActual } from '../table/limit-table.js'
import type { SharedScenario } from '../table/shared-scenario.js'
import { isShared, type RetryCase, type ScenarioExpectation } from '../table/table.js'
import type { DriverActual } from './protocol.js'

/**
 * Compares what a driver answered with what its case states, and with nothing else.
 *
 * @param features a field that the driver said it omits, and that it did not tell, is not compared.
 * @returns the stated fields that were not compared for that.
 */
export function compareActual(
  compare: Comparison,
  entry: TableEntry,
  actual: DriverActual,
  features: readonly string[],
): string[] {
  if (entry.suite === 'backoff-scenarios' || entry.suite === 'ingest-scenarios') {
    compare.equal('config_error', entry.row.config_error, actual.config_error ?? undefined)
    if (actual.config_error != null) return []
    // What a step of which suite tells, the protocol's schema has checked.
    if (entry.suite === 'ingest-scenarios')
      compareMachineSteps(compare, entry.row.steps, (actual.steps ?? []) as readonly MachineReading[])
    else compareLimitSteps(compare, entry.row.steps, (actual.steps ?? []) as readonly Partial<LimitStepActual>[])
    return []
  }
  if (entry.suite === 'call-scenarios' && isShared(entry.row)) {
    return compareShared(compare, entry.row, actual, features)
  }
  const { row } = entry
  const untold: string[] = []
  const stated = stating(compare, actual, features, untold)
  const refused = actual.policy_error ?? undefined
  // R17: where the policy is refused, nothing else is expected.
  if (row.expect?.policy_error !== undefined || refused !== undefined) {
    compare.equal('policy_error', row.expect?.policy_error, refused)
    if (actual.sends !== undefined) compare.equal('sends', 0, actual.sends)
  } else if (entry.suite === 'retry-cases') compareCase(compare, entry.row, actual, stated)
  else if (row.expect) compareScenario(compare, row.expect, actual, stated)
  return untold
}

type Stated = (field: keyof DriverActual, expected: unknown) => void

/** Compares a field where it is stated; one that is omitted, as the driver said, is noted as untold. */
function stating(compare: Comparison, actual: DriverActual, features: readonly string[], untold: string[]): Stated {
  return (field, expected) => {
    if (expected === undefined) return
    if (actual[field] === undefined && features.includes(`omits:${field}`)) untold.push(field)
    else compare.equal(field, expected, actual[field])
  }
}

/** Several calls: each as a call by itself, and the limiter at each look. */
function compareShared(
  compare: Comparison,
  { calls, looks = [] }: SharedScenario,
  actual: DriverActual,
  features: readonly string[],
): string[] {
  const untold: string[] = []
  const refused = actual.config_error ?? actual.policy_error ?? undefined
  compare.equal('config_error', undefined, refused)
  if (refused !== undefined) return untold
  compare.equal('calls', calls.length, actual.calls?.length)
  for (const [i, { expect }] of calls.entries()) {
    const told = actual.calls?.[i] ?? {}
    const of = compare.part(`calls[${i}]`)
    const { sent_at_ms } = expect
    if (sent_at_ms !== undefined) compareWaits(of, sent_at_ms, told.sent_at_ms ?? [], 'sent_at_ms')
    compareScenario(of, expect, told, stating(of, told, features, untold))
  }
  for (const [i, { expect }] of looks.entries()) compareReading(compare, `looks[${i}]`, expect, actual.looks?.[i] ?? {})
  return untold
}

function compareCase(compare: Comparison, row: RetryCase, actual: DriverActual, stated: Stated): void {
  const { expect } = row
  compareDecision(compare, expect, actual)
  // An answer below 400 is a success, which gives no reason to give up.
  if (expect.retry || /^status:[123]/.test(row.failure)) return
  stated('reason', expect.reason)
  stated('retry_after_ms', expect.retry_after_ms)
}

function compareScenario(compare: Comparison, expect: ScenarioExpectation, actual: DriverActual, stated: Stated): void {
  stated('sends', expect.sends)
  if (expect.waits_ms !== undefined && actual.waits_ms === undefined) stated('waits_ms', expect.waits_ms)
  else if (expect.waits_ms !== undefined) compareWaits(compare, expect.waits_ms, actual.waits_ms ?? [])
  stated('outcome', expect.outcome)
  stated('status', expect.status)
  stated('failure', expect.failure)
  stated('reason', expect.reason)
  stated('retry_after_ms', expect.retry_after_ms)
  stated('attempts', expect.attempts)
  stated('waited_ms', expect.waited_ms)
  stated('ended_at_ms', expect.ended_at_ms)
  stated('body_released', expect.body_released)
}
