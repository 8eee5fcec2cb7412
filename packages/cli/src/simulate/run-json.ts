import type { Scenario } from '@sluice/simulator'
import type { RunResult } from './run-result.js'
import { targetJson } from './target-json.js'

/** All of it as one JSON object. Times in ms; a share is from 0 to 1; a figure that has nothing to be of is null. */
export function runJson(
  { id, number, title }: Scenario,
  seeds: readonly number[],
  results: readonly RunResult[],
): string {
  const controllers = results.map(({ label, choice, score: { score, scores, targets }, phases, timeline }) => ({
    ...{ controller: label, parameters: choice.parameters ?? null, score, scores, targets: targets.map(targetJson) },
    plays: seeds.map((seed, at) => ({ seed, phases: phases[at] })),
    timeline,
  }))
  return JSON.stringify({ scenario: { id, number, title }, seeds, controllers })
}
