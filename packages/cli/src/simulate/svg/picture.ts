import type { Scenario } from '@sluice/simulator'
import { latencyText } from '../../output/figures.js'
import { escaped } from '../../output/svg/escaped.js'
import { elapsedTicks, scaleOf } from '../../output/svg/scale.js'
import { NO_LIMIT } from '../no-limit.js'
import type { RunResult } from '../run-result.js'
import { lengthText } from '../words.js'
import { STYLE } from './lines.js'
import { LEFT, type PanelOf, panel, RIGHT, STEP } from './panel.js'

const WIDTH = 960
/** Of the label of the first panel. */
const FIRST = 132

/**
 * Limit, calls in the server, latency and batch slow-down over time, as one SVG that needs nothing beside it. Each
 * controller is a line in each panel.
 */
export function picture(scenario: Scenario, seeds: readonly number[], results: readonly RunResult[]): string {
  const timelines = results.map(({ timeline }) => timeline)
  const lengthMs = scenario.durationS * 1000
  const x = scaleOf(0, lengthMs, LEFT, RIGHT)
  const ticks = elapsedTicks(lengthMs, 12)
  const marks = ticks.map(({ atMs }) => x(atMs))
  const panels = panelsOf(scenario).filter(({ figure }) =>
    timelines.some((points) => points.some((it) => figure(it) !== null)),
  )
  const bottom = FIRST + (panels.length - 1) * STEP + 124
  const height = bottom + 60
  const names = results.map(({ label }) => label)
  const what = `${panels.map(({ label }) => label).join('; ')} over ${lengthText(scenario.durationS)}, of ${names.join(', ')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(`${scenario.id}: ${scenario.title}`)}</title>
<desc id="desc">${escaped(what)}</desc>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
<text class="title" x="${LEFT}" y="32">${escaped(scenario.title)}</text>
<text class="small" x="${LEFT}" y="50">${escaped(`${scenario.id}, seed ${seeds[0]}; each point stands for ${widthText(timelines[0]?.[0])}`)}</text>
${names.map((name, at) => legend(name, at, names.length)).join('\n')}
${Object.entries(scenario.phases)
  .map(([name, { fromS, toS }]) => phaseMark(name, x(fromS * 1000), x(toS * 1000)))
  .join('\n')}
${panels.map((of, at) => panel(of, timelines, { at: FIRST + at * STEP, x, marks })).join('\n')}
${ticks.map(({ atMs, text }) => `<text class="small middle" x="${x(atMs)}" y="${bottom + 20}">${text}</text>`).join('\n')}
<text class="small middle" x="${(LEFT + RIGHT) / 2}" y="${bottom + 44}">time since the beginning</text>
</svg>
`
}

function panelsOf({ client, server, batch }: Scenario): PanelOf[] {
  const number = (value: number): string => `${value}`
  const endless = Number.POSITIVE_INFINITY
  return [
    {
      ...{
        label: `limit (calls in flight; the client allows ${client.maxConcurrent})`,
        text: number,
        most: 2 * client.maxConcurrent,
      },
      figure: ({ limit }) => (limit < NO_LIMIT ? limit : null),
    },
    {
      ...{ label: `calls in the server (${server.cores} cores)`, text: number, most: endless },
      figure: ({ inside }) => inside,
    },
    {
      label: 'p90 latency, the wait for a slot included',
      text: latencyText,
      most: endless,
      figure: ({ p90Ms }) => p90Ms,
    },
    {
      ...{
        label: `batch jobs: time taken over time needed${batch === null ? '' : ` (${batch.cores} cores of work)`}`,
        text: number,
      },
      ...{ most: endless, figure: ({ batchSlowdown }) => batchSlowdown },
    },
  ]
}

const widthText = (point: { fromMs: number; toMs: number } | undefined): string =>
  point === undefined ? 'nothing' : lengthText((point.toMs - point.fromMs) / 1000)

/** A piece of the line, and whose it is, side by side. */
function legend(name: string, at: number, count: number): string {
  const left = LEFT + at * Math.min(160, (RIGHT - LEFT) / count)
  return `<path class="line c${at}" d="M${left} 72h28"/><text class="small" x="${left + 36}" y="76">${escaped(name)}</text>`
}

/** A phase, as long as it lasts; its name where there is room for it. */
function phaseMark(name: string, from: number, to: number): string {
  const text =
    to - from > name.length * 7
      ? `<text class="small middle" x="${(from + to) / 2}" y="96">${escaped(name)}</text>`
      : ''
  return `<path class="phase" d="M${from + 1} 98v6H${to - 1}v-6"/>${text}`
}
