import { type Comparison, differenceOf, overall } from './comparison.js'
import { targetJson } from './target-json.js'

/** All of it as one JSON object; `half` is half of a 95 % interval. */
export function compareJson(comparison: Comparison): string {
  const { compared, seeds, tuningSeeds, against } = comparison
  const scenarios = compared.map((one) => {
    const { id, number, title } = one.scenario
    const controllers = one.entries.map((entry) => ({
      ...{ controller: entry.label, parameters: entry.choice.parameters ?? null },
      ...{ score: entry.score.score, scores: entry.score.scores },
      difference: differenceOf(one, entry, against),
      targets: entry.score.targets.map(targetJson),
    }))
    return { scenario: { id, number, title }, controllers }
  })
  const all = overall(comparison).map(({ label, score }) => ({ controller: label, score }))
  return JSON.stringify({ seeds, tuningSeeds, against, overall: all, scenarios })
}
