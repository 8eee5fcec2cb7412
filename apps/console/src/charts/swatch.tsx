import type { ReactElement } from 'react'
import { dashOf, type Series, widthOf } from './series.js'

/** A piece of a line, as the chart draws it. */
export function Swatch({ series: { colour, stroke } }: { series: Series }): ReactElement {
  return (
    <svg className="swatch" width="28" height="12" aria-hidden="true">
      {stroke === 'area' && <rect y="4" width="28" height="8" fill={`var(${colour})`} opacity="0.2" />}
      <line
        x2="28"
        y1={stroke === 'area' ? 4 : 6}
        y2={stroke === 'area' ? 4 : 6}
        stroke={`var(${colour})`}
        strokeWidth={widthOf(stroke)}
        strokeDasharray={dashOf(stroke).join(' ')}
      />
    </svg>
  )
}
