import type { Token } from './sql-tokens.js'

/** Words behind which a value begins: an `in(` there is no operator. A column of such a name is written in quotes. */
const BEFORE_VALUE = new Set(
  `ALL AND APPLY AS BETWEEN BY CASE DISTINCT DIV ELSE FETCH FOR FROM HAVING ILIKE IN INTERVAL IS JOIN LIKE LIMIT MOD NOT
  OFFSET ON OR PLACING PREWHERE QUALIFY RECURSIVE REGEXP REPLACE RLIKE SELECT STALENESS STEP STRICT THEN TIES TO TOP USING
  WHEN WHERE WITH XOR`.split(/\s+/),
)

/**
 * Whether SQL is one query, which can stand in brackets and be read by a gateway in its own form.
 * @returns what is wrong, after its name; undefined: it is
 */
export function selectFault(tokens: readonly Token[]): string | undefined {
  const first = keywordOf(tokens[0])
  if (first !== 'SELECT' && first !== 'WITH') return 'is not a SELECT; a pipe is one query'
  let depth = 0
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'sign' && token.text === '(') depth++
    if (token.kind === 'sign' && token.text === ')' && --depth < 0) return 'has a ")" without its "("'
    const word = keywordOf(token)
    if (word === 'INTO') return 'has INTO; a pipe writes nothing'
    // A function of that name is followed by a bracket.
    if (word === 'FORMAT' && depth === 0 && isName(tokens[i + 1])) return 'has a FORMAT; the gateway adds its own'
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

/**
 * A word in capitals, of two to eight letters as all have that are looked for; `''`: it is none. A name in quotes is no
 * word. Most names in long SQL are shorter: they cost nothing.
 */
export function keywordOf(it: Token | undefined): string {
  return it?.kind === 'word' && it.text.length >= 2 && it.text.length <= 8 ? it.text.toUpperCase() : ''
}

/** As {@link keywordOf}; behind a dot is a column, whatever it is called. */
export function keywordAt(tokens: readonly Token[], at: number): string {
  return tokens[at - 1]?.text === '.' ? '' : keywordOf(tokens[at])
}

/** Whether a value ends there, as one does before an operator. */
export function isOperand(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  if (token.kind === 'sign') return /^[)\]}]$/.test(token.text)
  if (token.kind !== 'word') return keywordAt(tokens, at - 1) !== 'TOP'
  return tokens[at - 1]?.text === '.' || !BEFORE_VALUE.has(token.text.toUpperCase())
}
