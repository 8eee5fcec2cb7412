import type { Compared } from '@sluice/simulator'
import { differenceOf } from './comparison.js'
import { reachedText, scoreText, targetText } from './words.js'

/** One scenario as a table: a row for each controller, a column for each target; the head first. */
export function compareRows(one: Compared, against: string | null): string[][] {
  const head = [
    'controller',
    'score',
    ...(against === null ? [] : [`less ${against}`]),
    ...one.scenario.targets.map(targetText),
  ]
  const rows = one.entries.map((entry) => {
    const difference = differenceOf(one, entry, against)
    return [
      `${entry.label}${foundText(entry.choice.parameters, entry.label)}`,
      scoreText(entry.score.score),
      ...(against === null ? [] : [difference === null ? '' : scoreText(difference, true)]),
      ...entry.score.targets.map(reachedText),
    ]
  })
  return [head, ...rows]
}

/** What a search found: `best-fixed (limit 21)`. */
function foundText(parameters: Readonly<Record<string, number>> | undefined, label: string): string {
  if (parameters === undefined || label.startsWith('fixed')) return ''
  return `: ${Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`
}
