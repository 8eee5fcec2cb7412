import { createHash } from 'node:crypto'

/** What the protocol and the hosts take. */
const LONGEST = 64
const HASH = 8

/**
 * The names of a document's tools by operation id: `repos/listCommits` → `repos_list_commits`. They depend on the whole
 * document and on nothing else, so that a tool keeps its name whatever else is offered. Where a name would be too long,
 * or another operation has it, it ends in a hash of its id.
 */
export function toolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of ids) {
    let name = snake(id)
    if (name === '' || name.length > LONGEST || taken.has(name)) name = hashed(name, id)
    taken.add(name)
    names.set(id, name)
  }
  return names
}

const snake = (id: string): string =>
  id
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()

const hashed = (name: string, id: string): string => {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST - HASH - 1).replace(/_+$/, '') || 'operation'}_${hash}`
}
