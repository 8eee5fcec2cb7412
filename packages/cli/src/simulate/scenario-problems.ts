import { type RetryPolicyOptions, retryPolicy } from '@sluice/core'
import { snake } from '@sluice/core/words'
import { type Load, type Scenario, scenarioOf } from '@sluice/simulator'

/**
 * What is wrong with a scenario: by its schema, and where that is kept, what one field says of another.
 * @returns one line for each, with the field, what it is and what is allowed
 */
export async function scenarioProblems(json: object): Promise<string[]> {
  const { documentProblems } = await import('@sluice/conformance') // loaded where a scenario is not one of ours
  const problems = documentProblems('simulation-scenario', json)
  return problems.length > 0 ? problems : [...together(scenarioOf(json))]
}

/** What no schema can say. */
function* together(scenario: Scenario): Generator<string> {
  const { durationS, phases, targets, load, work, tenants, neighbour, faults, server, client } = scenario
  for (const [name, { fromS, toS }] of Object.entries(phases)) {
    if (toS > durationS) yield `phases.${name}.to_s is ${toS}; allowed: at most duration_s (${durationS})`
    if (fromS >= toS) yield `phases.${name}.from_s is ${fromS}; allowed: less than its to_s (${toS})`
  }
  for (const [at, { phase, min, max }] of targets.entries()) {
    if (!Object.hasOwn(phases, phase))
      yield `targets[${at}].phase is "${phase}"; allowed: ${Object.keys(phases).join(', ')}`
    if (min === undefined && max === undefined) yield `targets[${at}].max is missing; allowed: a max, a min, or both`
  }
  yield* ofLoad('load', load)
  yield* ofShares(
    'work',
    work.map(({ share }) => share),
  )
  if (tenants) yield* ofLoad('tenants.loud', tenants.loud)
  if (neighbour) {
    yield* ofLoad('neighbour.load', neighbour.load)
    yield* ofShares(
      'neighbour.work',
      neighbour.work.map(({ share }) => share),
    )
  }
  for (const [at, fault] of faults.entries()) {
    if (fault.kind !== 'mix') continue
    const field = `faults[${at}].shares`
    if (fault.shares.length === work.length) yield* ofShares(field, fault.shares)
    else yield `${field} has ${fault.shares.length}; allowed: one for each class of work (${work.length})`
  }
  const [least = 0, most = 0] = server.throttle?.retryAfterS ?? []
  if (least > most) yield `server.throttle.retry_after_s is [${least},${most}]; allowed: the smaller one first`
  if (client.policy !== null) yield* ofPolicy(client.policy)
}

function* ofLoad(field: string, load: Load): Generator<string> {
  const times = 'points' in load ? load.points.map(({ atS }) => atS) : load.arrivalsMs
  const at = times.findIndex((time, i) => time < (times[i - 1] ?? 0))
  const name = 'points' in load ? `${field}.points[${at}].at_s` : `${field}.arrivals_ms[${at}]`
  if (at >= 0) yield `${name} is ${times[at]}; allowed: at least what is before it (${times[at - 1]})`
}

function* ofShares(field: string, shares: readonly number[]): Generator<string> {
  const all = shares.reduce((sum, share) => sum + share, 0)
  if (Math.abs(all - 1) > 1e-9) yield `${field}: the shares together are ${all}; allowed: 1`
}

function* ofPolicy(policy: RetryPolicyOptions): Generator<string> {
  try {
    retryPolicy(policy)
  } catch (error) {
    const { message, field } = error as TypeError & { field: string } // all that retryPolicy throws
    yield `client.policy.${snake(field)}${message.replace(`retryPolicy: ${field}`, '').replace('retryPolicy:', ':')}`
  }
}
