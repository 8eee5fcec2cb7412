import { type ReactElement, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { History } from '../status/history.js'
import { drawBehind } from './behind.js'
import type { ChartSpec } from './series.js'
import { uplotOptions } from './uplot-options.js'
import { useTheme } from './use-theme.js'

/** What a plot draws. */
export interface PlotProps {
  readonly spec: ChartSpec
  readonly history: History
  /** The latest second of it: another one, and it is drawn again. */
  readonly second: number
  /** How many seconds of it. */
  readonly span: number
  readonly timeOf: (second: number) => string
  readonly onPointed: (index: number | null) => void
}

const HEIGHT = 150

/** The canvas of a chart. Draws once a frame at most, and only when there is something new. */
export function Plot({ spec, history, second, span, timeOf, onPointed }: PlotProps): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const theme = useTheme()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides what the custom properties are
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const style = getComputedStyle(element)
    const colourOf = (property: string): string => style.getPropertyValue(property).trim()
    const made = new uPlot(
      uplotOptions(spec, {
        width: element.clientWidth,
        height: HEIGHT,
        colourOf,
        timeOf,
        onPointed,
        behind: (it) => drawBehind(it, history, colourOf),
      }),
      dataOf(spec, history),
      element,
    )
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    plot.current = made
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [spec, history, theme, timeOf, onPointed])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot that was made anew has to be filled
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const made = plot.current
      if (made === null) return
      made.batch(() => {
        made.setData(dataOf(spec, history), false)
        made.setScale('x', { min: second - span + 1, max: second })
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [spec, history, second, span, theme])

  return <div className="plot" ref={place} aria-hidden="true" />
}

const dataOf = ({ series }: ChartSpec, { times, figures }: History): uPlot.AlignedData => [
  times,
  ...series.map(({ figure }) => figures[figure]),
]
