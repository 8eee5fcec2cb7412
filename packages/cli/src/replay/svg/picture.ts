import type { ReplayPoint } from '@sluice/core/replay'
import { latencyText } from '../../output/figures.js'
import { escaped } from '../../output/svg/escaped.js'
import { lineOf } from '../../output/svg/line.js'
import { type Scale, scaleOf, ticksTo, timeTicks } from '../../output/svg/scale.js'
import type { Replayed } from '../replay-trace.js'
import { timeText, windowText } from '../words.js'
import { areaOf, stepsOf } from './lines.js'
import { STYLE } from './style.js'

const WIDTH = 960
const LEFT = 72
const RIGHT = 936
/** Top and bottom of the panel of latency. */
const LATENCY = { top: 84, bottom: 296 }
/** Of the panels of limits: where the first begins, how high each is, and what is from one to the next. */
const FIRST = 348
const GAP = 40
const heightOf = (panels: number): number => (panels === 1 ? 112 : 64)

/**
 * Latency, baseline and limit over time, as one SVG that needs nothing beside it. Of several choices of thresholds each
 * has a panel with its limit; the latency and its baseline are those of the first.
 */
export function picture(file: string, replayed: readonly Replayed[]): string {
  const [first] = replayed
  if (first === undefined) return ''
  const { points, options, whole } = first.result
  const all = replayed.flatMap(({ result }) => result.points)
  const fromMs = points[0]?.fromMs ?? 0
  const toMs = all.reduce((most, point) => Math.max(most, point.toMs), fromMs + 1)
  const x = scaleOf(fromMs, toMs, LEFT, RIGHT)
  // One moment may be far above all the rest: the band is cut off, the line of means is not.
  const most = Math.max(1e-3, ...points.flatMap(({ p90Ms, baselineMs }) => [p90Ms ?? 0, baselineMs ?? 0]))
  const latencyTicks = ticksTo(most * 1.05, 5)
  const y = scaleOf(0, latencyTicks.at(-1) ?? 1, LATENCY.bottom, LATENCY.top)
  const panels = panelsOf(replayed)
  const bottom = panels.at(-1)?.bottom ?? FIRST
  const height = bottom + 60
  const summary = replayed.length === 1 ? meanOf(first) : `${replayed.length} choices of thresholds`
  const windows = replayed.length === 1 ? `, windows of ${windowText(options.windowMs)}` : ''
  const title = `Adaptive limit over ${file.replace(/^.*[/\\]/, '')}`
  const span = `${timeText(fromMs)} to ${timeText(whole.toMs)}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(`p90 latency, its baseline and the limit from ${span}; ${replayed.map((one) => named(one, meanOf(one))).join('; ')}`)}</desc>
<style>${STYLE}</style>
<defs><clipPath id="panel"><rect x="${LEFT}" y="${LATENCY.top}" width="${RIGHT - LEFT}" height="${LATENCY.bottom - LATENCY.top}"/></clipPath></defs>
<rect class="paper" width="${WIDTH}" height="${height}"/>
<text class="title" x="${LEFT}" y="32">${escaped(title)}</text>
<text class="small" x="${LEFT}" y="50">${escaped(`${span}${windows}; ${summary}`)}</text>
${timeTicks(fromMs, toMs, 9)
  .map(({ atMs, text }) => timeMark(x(atMs), text, panels))
  .join('\n')}
<text class="label" x="${LEFT}" y="${LATENCY.top - 12}">${escaped(named(first, 'latency'))}</text>
${legend(LATENCY.top - 16, ['p90', 'p90 of a window'], ['baseline', 'baseline'])}
${latencyTicks.map((tick) => gridLine(y(tick), tick === 0 ? '0' : latencyText(tick))).join('\n')}
<g clip-path="url(#panel)">
<path class="band" d="${areaOf(
    points,
    x,
    (point) => y(point.highestP90Ms ?? 0),
    (point) => y(point.p90Ms ?? 0),
  )}"/>
<path class="p90" d="${lineOf(points, x, (point) => (point.p90Ms === null ? null : y(point.p90Ms)))}"/>
<path class="baseline" d="${lineOf(points, x, (point: ReplayPoint) => (point.baselineMs === null ? null : y(point.baselineMs)))}"/>
</g>
${panels.map((panel) => limitPanel(panel, x, replayed.length > 1)).join('\n')}
<text class="small middle" x="${(LEFT + RIGHT) / 2}" y="${bottom + 44}">time (UTC)</text>
</svg>
`
}

interface Panel {
  readonly of: Replayed
  readonly top: number
  readonly bottom: number
  /** One for all, so that heights can be compared. */
  readonly ticks: readonly number[]
  readonly most: number
}

function panelsOf(replayed: readonly Replayed[]): readonly Panel[] {
  const height = heightOf(replayed.length)
  const highest = Math.max(...replayed.map(({ result }) => result.options.maxConcurrent))
  const ticks = ticksTo(highest, height > 100 ? 4 : 2).filter(Number.isInteger)
  const most = Math.max(ticks.at(-1) ?? 1, highest)
  return replayed.map((of, i) => {
    const top = FIRST + i * (height + GAP)
    return { of, top, bottom: top + height, ticks, most }
  })
}

function limitPanel({ of, top, bottom, ticks, most }: Panel, x: Scale, tellsMean: boolean): string {
  const y = scaleOf(0, most, bottom, top)
  const { points, options } = of.result
  const mean = tellsMean ? `<text class="small end" x="${RIGHT}" y="${top - 12}">${escaped(meanOf(of))}</text>\n` : ''
  return `<text class="label" x="${LEFT}" y="${top - 12}">${escaped(named(of, 'limit (calls in flight)'))}</text>
${mean}${ticks.map((tick) => gridLine(y(tick), `${tick}`)).join('\n')}
<path class="limit" d="${stepsOf(points, options.windowMs, x, (point) => y(point.limit), y(options.maxConcurrent))}"/>`
}

const named = ({ name }: Replayed, what: string): string => (name === '' ? what : `${what}, ${name}`)

const meanOf = ({ result: { whole, options } }: Replayed): string =>
  `limit ${whole.meanLimit.toFixed(1)} of ${options.maxConcurrent} on average, lowest ${whole.lowestLimit}`

const gridLine = (at: number, text: string): string =>
  `<path class="grid" d="M${LEFT} ${at}H${RIGHT}"/><text class="small end" x="${LEFT - 8}" y="${at + 4}">${escaped(text)}</text>`

const timeMark = (at: number, text: string, panels: readonly Panel[]): string =>
  `<path class="grid" d="M${at} ${LATENCY.top}V${LATENCY.bottom}${panels.map(({ top, bottom }) => `M${at} ${top}V${bottom}`).join('')}"/><text class="small middle" x="${at}" y="${(panels.at(-1)?.bottom ?? 0) + 20}">${escaped(text)}</text>`

/** A piece of each line, and what it is; from the right. */
const legend = (at: number, ...entries: readonly (readonly [string, string])[]): string =>
  entries
    .map(([name, text], i) => {
      const left = RIGHT - (entries.length - i) * 150
      return `<path class="${name}" d="M${left} ${at}h28"/><text class="small" x="${left + 36}" y="${at + 4}">${text}</text>`
    })
    .join('\n')
