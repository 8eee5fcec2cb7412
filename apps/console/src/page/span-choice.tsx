import type { ReactElement } from 'react'

const SPANS = [
  [120, '2 minutes'],
  [600, '10 minutes'],
] as const
const BEHIND = [
  ['job', 'batch job, past the limit'],
  ['hold', 'on hold'],
  ['throttle', 'throttled'],
] as const

/** How much of the past the charts show, and what is drawn behind their lines. */
export function SpanChoice({ span, onSpan }: { span: number; onSpan: (seconds: number) => void }): ReactElement {
  return (
    <div className="span-bar">
      <fieldset className="span">
        <legend>Charts show the last</legend>
        {SPANS.map(([seconds, words]) => (
          <label key={seconds}>
            <input type="radio" name="span" checked={span === seconds} onChange={() => onSpan(seconds)} />
            {words}
          </label>
        ))}
      </fieldset>
      <ul className="legend">
        {BEHIND.map(([mark, words]) => (
          <li key={mark}>
            <span className={`mark ${mark}`} />
            {words}
          </li>
        ))}
      </ul>
    </div>
  )
}
