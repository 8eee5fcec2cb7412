import { intervalOf, type Scenario, type Statistics } from '@sluice/simulator'
import { table } from '../output/table.js'
import { printable } from '../output/voice.js'
import { NO_LIMIT } from './no-limit.js'
import type { RunResult } from './run-result.js'
import { sketch } from './sketch.js'
import { intervalText, reachedText, scoreText, seedsText, targetText } from './words.js'

/** What is shown of each phase, and how it is called. */
const COLUMNS: readonly (readonly [keyof Statistics, string])[] = [
  ['calls', 'calls'],
  ['okShare', 'ok'],
  ['p50Ms', 'p50'],
  ['p99Ms', 'p99'],
  ['amplification', 'attempts a call'],
  ['throttledShare', '429s'],
  ['batchSlowdown', 'batch'],
  ['meanInside', 'in server'],
  ['meanLimit', 'limit'],
]

/** What came of it, for one screen: the targets, the phases, and a sketch of the first seed. */
export function runText(scenario: Scenario, seeds: readonly number[], results: readonly RunResult[]): string {
  return [
    printable(`${scenario.id}: ${scenario.title}; ${seedsText(seeds)}`),
    '',
    ...targetTable(scenario, results),
    ...results.flatMap((result) => ['', ...phaseTable(result), '', ...sketch(result)]),
  ].join('\n')
}

const targetTable = ({ targets }: Scenario, results: readonly RunResult[]): string[] =>
  table([
    ['target', ...results.map(({ label }) => label)],
    ...targets.map((target, at) => [
      targetText(target),
      ...results.map(({ score }) => {
        const reached = score.targets[at]
        return reached === undefined ? '-' : reachedText(reached)
      }),
    ]),
    ['score', ...results.map(({ score }) => scoreText(score.score))],
  ])

function phaseTable({ label, phases }: RunResult): string[] {
  const shown = COLUMNS.filter(([statistic]) =>
    Object.values(phases[0] ?? {}).some((it) => isSaid(statistic, it[statistic])),
  )
  return table([
    [label, ...shown.map(([, name]) => name)],
    ...Object.keys(phases[0] ?? {}).map((phase) => [
      phase,
      ...shown.map(([statistic]) => {
        const values = phases.map((ofSeed) => ofSeed[phase]?.[statistic] ?? Number.NaN)
        return intervalText(statistic, intervalOf(values))
      }),
    ]),
  ])
}

/** A column of nothing is left out: no batch jobs, no 429s, one attempt a call, no limit at all. */
function isSaid(statistic: keyof Statistics, value: number): boolean {
  if (Number.isNaN(value)) return false
  if (statistic === 'throttledShare') return value > 0
  if (statistic === 'amplification') return Math.abs(value - 1) > 0.005
  return statistic !== 'meanLimit' || value < NO_LIMIT
}
