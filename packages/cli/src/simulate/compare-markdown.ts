import { compareRows } from './compare-rows.js'
import { type Comparison, overall } from './comparison.js'
import { scoreText, seedsText } from './words.js'

/** Tables for a page: all scores together, then each scenario's. */
export function compareMarkdown(comparison: Comparison): string {
  const { compared, seeds, tuningSeeds, against } = comparison
  const scores = overall(comparison).map(({ label, score }, at) => [
    label,
    scoreText(score),
    ...compared.map(({ entries }) => {
      const own = entries[at]?.score
      return own === undefined ? '' : scoreText(own.score)
    }),
  ])
  const searched = compared[0]?.entries.some(({ label }) => label === 'best-fixed' || label.endsWith('(tuned)'))
  const seedsOf = `Reported: ${seedsText(seeds)}.${searched ? ` Searched: ${seedsText(tuningSeeds)}.` : ''}`
  return [
    seedsOf,
    '',
    ...markdown([
      ['controller', 'all', ...compared.map(({ scenario }) => `[${scenario.id}](#${scenario.id})`)],
      ...scores,
    ]),
    ...compared.flatMap((one) => [
      '',
      `### ${one.scenario.id}`,
      '',
      `${one.scenario.number}. ${plain(one.scenario.title)}. ${plain(one.scenario.why)}`,
      '',
      ...markdown(compareRows(one, against)),
    ]),
  ].join('\n')
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(plain).join(' | ')} |`
  return [line(head), `|${head.map((_, at) => (at === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line)]
}

/** In one line and in one cell, whatever a file of one's own holds. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
