import type { ReactElement } from 'react'
import type { Answer } from '../api/ask.js'

/** What went wrong, in one sentence, and what the gateway says to it. */
export function Failure({
  of: { message, detail },
}: {
  of: Extract<Answer<unknown>, { kind: 'failed' }>
}): ReactElement {
  return (
    <div className="failure" role="alert">
      <p>{message}</p>
      {detail !== null && <p className="hint">{detail}</p>}
    </div>
  )
}
