import type { Notice } from '@sluice/client'
import type { ReactElement } from 'react'

const LEVELS: Readonly<Record<Notice['level'], string>> = { info: 'Info', warning: 'Warning', error: 'Error' }

/** What owners were told, the newest first. There may be many at once: none is read aloud by itself. */
export function NoticeLog({ notices, timeOf }: NoticeLogProps): ReactElement {
  if (notices === null) return <p className="hint">Asking…</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div className="scroll notices" role="log" aria-live="off" aria-label="Notices" tabIndex={0}>
      {notices.length === 0 && <p className="hint">None. What happens to data sources and nodes is told here.</p>}
      <ol>
        {notices.map(({ id, at, level, message }) => (
          <li key={id}>
            <time dateTime={at}>{timeOf(Date.parse(at) / 1000)}</time>
            <span className="level" data-level={level}>
              {LEVELS[level]}
            </span>
            <span>{message}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** What the log is given. */
export interface NoticeLogProps {
  readonly notices: readonly Notice[] | null
  readonly timeOf: (second: number) => string
}
