import type { ReplayPoint, ReplayResult } from '@sluice/core/replay'
import { latencyText, timeText, windowText } from '../words.js'
import { areaOf, lineOf, stepsOf } from './lines.js'
import { scaleOf, ticksTo, timeTicks } from './scale.js'
import { STYLE } from './style.js'

const WIDTH = 960
const HEIGHT = 520
const LEFT = 72
const RIGHT = 936
/** Top and bottom of the two panels. */
const LATENCY = { top: 84, bottom: 296 }
const LIMIT = { top: 348, bottom: 460 }

/** Latency, baseline and limit over time, as one SVG that needs nothing beside it. */
export function picture(file: string, { points, options, whole }: ReplayResult): string {
  const fromMs = points[0]?.fromMs ?? 0
  const toMs = points.at(-1)?.toMs ?? 1
  const x = scaleOf(fromMs, toMs, LEFT, RIGHT)
  // One moment may be far above all the rest: the band is cut off, the line of means is not.
  const most = Math.max(1e-3, ...points.flatMap(({ p90Ms, baselineMs }) => [p90Ms ?? 0, baselineMs ?? 0]))
  const latencyTicks = ticksTo(most * 1.05, 5)
  const y = scaleOf(0, latencyTicks.at(-1) ?? 1, LATENCY.bottom, LATENCY.top)
  const limitTicks = ticksTo(options.maxConcurrent, 4).filter(Number.isInteger)
  const limitY = scaleOf(0, Math.max(limitTicks.at(-1) ?? 1, options.maxConcurrent), LIMIT.bottom, LIMIT.top)
  const summary = `limit ${whole.meanLimit.toFixed(1)} of ${options.maxConcurrent} on average, lowest ${whole.lowestLimit}`
  const title = `Adaptive limit over ${file.replace(/^.*[/\\]/, '')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(`p90 latency, its baseline and the limit from ${timeText(fromMs)} to ${timeText(toMs)}; ${summary}`)}</desc>
<style>${STYLE}</style>
<defs><clipPath id="panel"><rect x="${LEFT}" y="${LATENCY.top}" width="${RIGHT - LEFT}" height="${LATENCY.bottom - LATENCY.top}"/></clipPath></defs>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${LEFT}" y="32">${escaped(title)}</text>
<text class="small" x="${LEFT}" y="50">${escaped(`${timeText(fromMs)} to ${timeText(toMs)}, windows of ${windowText(options.windowMs)}; ${summary}`)}</text>
${timeTicks(fromMs, toMs, 9)
  .map(({ atMs, text }) => timeMark(x(atMs), text))
  .join('\n')}
<text class="label" x="${LEFT}" y="${LATENCY.top - 12}">latency</text>
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
<text class="label" x="${LEFT}" y="${LIMIT.top - 12}">limit (calls in flight)</text>
${limitTicks.map((tick) => gridLine(limitY(tick), `${tick}`)).join('\n')}
<path class="limit" d="${stepsOf(points, options.windowMs, x, (point) => limitY(point.limit), limitY(options.maxConcurrent))}"/>
<text class="small middle" x="${(LEFT + RIGHT) / 2}" y="${LIMIT.bottom + 44}">time (UTC)</text>
</svg>
`
}

const gridLine = (at: number, text: string): string =>
  `<path class="grid" d="M${LEFT} ${at}H${RIGHT}"/><text class="small end" x="${LEFT - 8}" y="${at + 4}">${escaped(text)}</text>`

const timeMark = (at: number, text: string): string =>
  `<path class="grid" d="M${at} ${LATENCY.top}V${LATENCY.bottom}M${at} ${LIMIT.top}V${LIMIT.bottom}"/><text class="small middle" x="${at}" y="${LIMIT.bottom + 20}">${escaped(text)}</text>`

/** A piece of each line, and what it is; from the right. */
const legend = (at: number, ...entries: readonly (readonly [string, string])[]): string =>
  entries
    .map(([name, text], i) => {
      const left = RIGHT - (entries.length - i) * 150
      return `<path class="${name}" d="M${left} ${at}h28"/><text class="small" x="${left + 36}" y="${at + 4}">${text}</text>`
    })
    .join('\n')

/** For text and attributes; what XML cannot hold at all is left out. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
