import { oneLine as line } from '@sluice/core/words'
import type { ApiDocument, OperationSummary } from '@sluice/openapi'
import type { Command } from 'commander'
import { UsageError } from '../usage-error.js'
import type { CallOptions } from './own-options.js'

/** More than this is no list that anybody reads: then it is tags with their counts. */
const MOST_LISTED = 60

/**
 * The operations of a document, by tag: those of `--tag`, those in which the word of `--list` occurs.
 * @throws UsageError for a tag that there is none of, or a word that occurs in none
 */
export async function listOperations(document: ApiDocument, { list, tag: tags }: CallOptions): Promise<string> {
  for (const tag of tags ?? [])
    if (!document.operations.some((one) => tagsOf(one).includes(tag)))
      throw new UsageError(await unknownTag(document, tag))
  const word = typeof list === 'string' ? list.toLowerCase() : ''
  const found = document.operations
    .filter((one) => tags === undefined || tagsOf(one).some((tag) => tags.includes(tag)))
    .filter(({ id, method, path, summary }) => `${id}\n${method} ${path}\n${summary}`.toLowerCase().includes(word))
  if (found.length === 0) throw new UsageError(`no operation${tags ? ` of ${tags.join(', ')}` : ''} has ${list} in it`)
  return byTag(document, found, tags)
}

/** `sluice call --help`: our own options, and what there is to call. */
export function overview(document: ApiDocument, command: Command): string {
  const { operations, title, version } = document
  const few = operations.length <= MOST_LISTED
  const tags = groups(document, operations).map(([tag, { length }]) => [
    tag,
    `${length} operation${length === 1 ? '' : 's'}`,
  ])
  return [
    'Usage: sluice call OPERATION [flags]',
    'Calls an operation of an OpenAPI document by its name. Its parameters, and the fields of its body, are flags:\n  sluice call OPERATION --help',
    `${oneLine(title)} ${oneLine(version)}: ${operations.length} operation${operations.length === 1 ? '' : 's'}`,
    few
      ? byTag(document, operations).trimEnd()
      : `${columns(tags)}\n\nsluice call --tag NAME lists those of a tag, sluice call --list WORD those with a word in them.`,
    ...document.notes.map((note) => `Note: ${oneLine(note)}`),
    ownOptions(command),
    ENDS,
  ].join('\n\n')
}

/** Our own options, from where commander begins to list them. */
function ownOptions(command: Command): string {
  const help = command.helpInformation()
  return help.slice(help.indexOf('Document:')).trimEnd()
}

const ENDS = `Exit codes: 0 a status below 400; 1 any other end; 2 wrong usage; 4 still throttled at the end; 130 interrupted.
Environment: SLUICE_OPENAPI, SLUICE_BASE_URL, SLUICE_TOKEN, SLUICE_NO_RETRY, NO_COLOR, XDG_CACHE_HOME.
`

const oneLine = (text: string): string => line(text) ?? ''

const UNTAGGED = 'Other'

const tagsOf = ({ tags }: OperationSummary): readonly string[] => (tags.length === 0 ? [UNTAGGED] : tags)

type Group = readonly [tag: string, operations: readonly OperationSummary[]]

/** In the document's order of tags; an operation of several tags is in each. */
function groups(document: ApiDocument, operations: readonly OperationSummary[]): readonly Group[] {
  return [...new Set([...document.tags.map(({ name }) => name), UNTAGGED])]
    .map((tag) => [tag, operations.filter((one) => tagsOf(one).includes(tag))] as const)
    .filter(([, members]) => members.length > 0)
}

function byTag(document: ApiDocument, operations: readonly OperationSummary[], only?: readonly string[]): string {
  const wanted = groups(document, operations).filter(([tag]) => only === undefined || only.includes(tag))
  const widest = Math.min(40, Math.max(...operations.map(({ id }) => oneLine(id).length)))
  const blocks = wanted.map(([tag, members]) =>
    [oneLine(tag), ...members.map((one) => `  ${oneLine(one.id).padEnd(widest)}  ${aboutOf(one)}`.trimEnd())].join(
      '\n',
    ),
  )
  return `${blocks.join('\n\n')}\n`
}

const aboutOf = ({ summary, method, path, deprecated }: OperationSummary): string =>
  `${oneLine(summary) || `${method} ${path}`}${deprecated ? ' (deprecated)' : ''}`

function columns(rows: readonly (readonly string[])[]): string {
  const widest = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(widest)}  ${second}`).join('\n')
}

async function unknownTag({ tags }: ApiDocument, tag: string): Promise<string> {
  const { nearest } = await import('@sluice/conformance')
  const names = tags.map(({ name }) => name)
  const [near] = nearest(tag, names, 1)
  return `--tag: there is no tag ${tag}; ${near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`
}
