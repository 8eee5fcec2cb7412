import type { Token } from './sql-tokens.js'

/**
 * Whether SQL is one query, which can stand in brackets and be read by a gateway in its own form.
 * @returns what is wrong, after its name; undefined: it is
 */
export function selectFault(tokens: readonly Token[]): string | undefined {
  const words = tokens.map(({ kind, text }) => (kind === 'word' ? text.toUpperCase() : ''))
  if (words[0] !== 'SELECT' && words[0] !== 'WITH') return 'is not a SELECT; a pipe is one query'
  let depth = 0
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind === 'sign' && text === '(') depth++
    if (kind === 'sign' && text === ')' && --depth < 0) return 'has a ")" without its "("'
    if (words[i] === 'INTO') return 'has INTO; a pipe writes nothing'
    // A function of that name is followed by a bracket.
    if (words[i] === 'FORMAT' && depth === 0 && isName(tokens[i + 1])) return 'has a FORMAT; the gateway adds its own'
  }
  return depth === 0 ? undefined : 'has a "(" that is never closed'
}

/** The names in SQL: what may be a table among them. */
export function namesIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.filter(isName).map(nameOf))
}

export const isName = (it: Token | undefined): boolean => it?.kind === 'word' || it?.kind === 'quoted'

/** `''`: it is none. */
export function nameOf(it: Token | undefined): string {
  if (it?.kind === 'word') return it.text
  return it?.kind === 'quoted' ? it.text.slice(1, -1) : ''
}
