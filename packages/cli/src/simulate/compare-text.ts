import { table } from '../output/table.js'
import { printable } from '../output/voice.js'
import { compareRows } from './compare-rows.js'
import { type Comparison, overall } from './comparison.js'
import { scoreText, seedsText } from './words.js'

/** A table for each scenario, and one of all where there are several. */
export function compareText(comparison: Comparison): string {
  const { compared, seeds, against } = comparison
  const tables = compared.flatMap((one) => [
    printable(`${one.scenario.id}: ${one.scenario.title}; ${seedsText(seeds)}`),
    '',
    ...table(compareRows(one, against)),
    '',
  ])
  if (compared.length > 1)
    tables.push(
      `all ${compared.length} scenarios`,
      '',
      ...table([['controller', 'score'], ...overall(comparison).map(({ label, score }) => [label, scoreText(score)])]),
    )
  return tables.join('\n').trimEnd()
}
