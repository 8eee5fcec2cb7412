import { camel } from '@sluice/core/words'
import type { Scenario } from './scenario.js'

/**
 * Reads a scenario from its JSON, whose words are those of the code in snake_case. It is not checked here: the schema is
 * spec/schema/simulation-scenario.schema.json.
 */
export function scenarioOf(json: object): Scenario {
  return inCamelCase(json) as Scenario // as the schema says
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [camel(name), nameOf(name, inCamelCase(of))]))
}

/** A target names a statistic, which is a word of ours too. */
const nameOf = (name: string, value: unknown): unknown =>
  name === 'statistic' && typeof value === 'string' ? camel(value) : value
