import type { ReactElement } from 'react'
import { WORDS } from '../sources/in-words.js'
import type { LineWords } from '../sources/line-words.js'

/** What opens a data source; it has the focus again when that is closed. */
export const idOfLink = (name: string): string => `open-${name}`

/** One data source. */
export function SourceLine(props: SourceLineProps): ReactElement {
  const { name, condition, since, sinceTime, lasted, behind, backlog, oldest, limit, node, isOpen, onOpen } = props
  return (
    <tr data-source={name}>
      <th scope="row">
        <button
          type="button"
          className="link"
          id={idOfLink(name)}
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : name)}
        >
          {name}
        </button>
      </th>
      <td>
        <span className="condition" data-condition={condition}>
          {WORDS[condition]}
        </span>
      </td>
      <td>
        <time dateTime={since} title={sinceTime}>
          {lasted}
        </time>
      </td>
      <td>{behind}</td>
      <td>{backlog}</td>
      <td>{oldest}</td>
      <td>{limit}</td>
      <td>{node}</td>
    </tr>
  )
}

interface SourceLineProps extends LineWords {
  readonly isOpen: boolean
  readonly onOpen: (name: string | null) => void
}
