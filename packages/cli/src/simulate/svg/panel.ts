import type { TimelinePoint } from '@sluice/simulator'
import { escaped } from '../../output/svg/escaped.js'
import { lineOf } from '../../output/svg/line.js'
import { type Scale, scaleOf, ticksTo } from '../../output/svg/scale.js'

/** One figure over time, with a line for each controller. */
export interface PanelOf {
  readonly label: string
  readonly figure: (point: TimelinePoint) => number | null
  readonly text: (value: number) => string
  /** What is above it is cut off. */
  readonly most: number
}

/** Where panels begin and end, from left to right. */
export const LEFT = 72
export const RIGHT = 936
const HEIGHT = 112

/** From the top of a panel to that of the next. */
export const STEP = 164

/** @param top of its label; @param marks where the lines of time stand */
export function panel(
  { label, figure, text, most }: PanelOf,
  timelines: readonly (readonly TimelinePoint[])[],
  { at, x, marks }: { at: number; x: Scale; marks: readonly number[] },
): string {
  const top = at + 12
  const bottom = top + HEIGHT
  const highest = timelines.flat().reduce((high, point) => Math.max(high, Math.min(most, figure(point) ?? 0)), 0)
  const ticks = ticksTo(highest || 1, 4)
  const y = scaleOf(0, ticks.at(-1) ?? 1, bottom, top)
  const id = `clip${at}`
  const lines = timelines.map((points, line) => {
    const d = lineOf(points, x, (point) => {
      const value = figure(point)
      return value === null ? null : y(Math.min(value, highest * 2))
    })
    return d === '' ? '' : `<path class="line c${line}" d="${d}"/>`
  })
  return [
    `<text class="label" x="${LEFT}" y="${at}">${escaped(label)}</text>`,
    `<clipPath id="${id}"><rect x="${LEFT}" y="${top - 1}" width="${RIGHT - LEFT}" height="${HEIGHT + 2}"/></clipPath>`,
    ...marks.map((mark) => `<path class="grid" d="M${mark} ${top}V${bottom}"/>`),
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${LEFT} ${y(tick)}H${RIGHT}"/><text class="small end" x="${LEFT - 8}" y="${y(tick) + 4}">${escaped(tick === 0 ? '0' : text(tick))}</text>`,
    ),
    `<g clip-path="url(#${id})">${lines.join('')}</g>`,
  ].join('\n')
}
