import type { ApiDocument, OperationSummary } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'
import { readsOnly } from './annotations.js'
import { patternOf } from './pattern.js'
import { toolNames } from './tool-names.js'

/** More than this confuses a model and fills its context. */
export const MOST_TOOLS = 64

/** Which operations become tools. */
export interface Selection {
  /** Patterns; default: everything. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Offer operations other than GET and HEAD too. Default false. */
  readonly allowWrite?: boolean | undefined
}

/** An operation that becomes a tool. */
export interface Selected {
  readonly name: string
  readonly operation: OperationSummary
}

/**
 * The operations that become tools.
 * @throws UsageError where a pattern means nothing, nothing is left, or too much is and nobody said what is wanted
 */
export function select(
  document: ApiDocument,
  { include = [], exclude = [], allowWrite = false }: Selection,
): Selected[] {
  const names = toolNames(document.operations.map(({ id }) => id))
  const all = document.operations.map((operation) => ({ name: names.get(operation.id) ?? operation.id, operation }))
  const meant = (patterns: readonly string[], flag: string): Set<Selected> => {
    const found = new Set<Selected>()
    for (const text of patterns) {
      const pattern = patternOf(text)
      const hits = all.filter(({ name, operation }) => pattern(operation, name))
      if (hits.length === 0)
        throw new UsageError(`${flag} ${text}: no operation and no tag is called so; ${hint(document)}`)
      for (const hit of hits) found.add(hit)
    }
    return found
  }
  const wanted = include.length === 0 ? new Set(all) : meant(include, '--include')
  const unwanted = meant(exclude, '--exclude')
  const asked = all.filter((one) => wanted.has(one) && !unwanted.has(one))
  const offered = asked.filter(({ operation }) => allowWrite || readsOnly(operation))
  if (offered.length === 0)
    throw new UsageError(
      asked.length === 0
        ? 'no operation is left to offer; change --include or --exclude'
        : `no operation that only reads is left to offer; --allow-write offers the other ${asked.length} too`,
    )
  if (offered.length > MOST_TOOLS && include.length === 0)
    throw new UsageError(
      `${offered.length} tools are more than the ${MOST_TOOLS} that are offered unasked; say which with --include, by tag for instance: ${tagsOf(offered)}`,
    )
  return offered
}

/** `tag:repos (21), tag:issues (12), …`, the largest first. */
function tagsOf(offered: readonly Selected[]): string {
  const counts = new Map<string, number>()
  for (const { operation } of offered) for (const tag of operation.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  if (counts.size === 0) return "the document has no tags, so by operation id: --include 'get_*'"
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
  const shown = sorted.slice(0, 20).map(([tag, count]) => `tag:${tag} (${count})`)
  return `${shown.join(', ')}${sorted.length > shown.length ? `, and ${sorted.length - shown.length} more tags` : ''}`
}

const hint = ({ tags, operations }: ApiDocument): string =>
  tags.length > 0
    ? `tags are ${tags
        .slice(0, 10)
        .map(({ name }) => `tag:${name}`)
        .join(', ')}${tags.length > 10 ? ', …' : ''}`
    : `operations are ${operations
        .slice(0, 10)
        .map(({ id }) => id)
        .join(', ')}${operations.length > 10 ? ', …' : ''}`
