/** What SQL is made of, as far as it is looked at here. Comments and spaces are left out. */
export type Token = { readonly kind: 'word' | 'quoted' | 'text' | 'sign'; readonly text: string }

const PATTERNS = [
  ['space', /(?:\s+|--[^\n]*|#[! ][^\n]*|\/\*[\s\S]*?\*\/)/y],
  ['text', /'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['quoted', /`(?:[^`\\]|\\[\s\S]|``)*`|"(?:[^"\\]|\\[\s\S]|"")*"/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /[\s\S]/y],
] as const

/** Never fails: what is no token is a sign of one character. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < sql.length; ) {
    for (const [kind, pattern] of PATTERNS) {
      pattern.lastIndex = at
      const [text] = pattern.exec(sql) ?? []
      if (text === undefined) continue
      if (kind !== 'space') tokens.push({ kind, text })
      at += text.length
      break
    }
  }
  return tokens
}

/**
 * Whether SQL is one query, which can stand in brackets and be read by a gateway in its own form.
 * @returns what is wrong, after its name; undefined: it is
 */
export function selectFault(sql: string): string | undefined {
  const tokens = tokensOf(sql)
  const words = tokens.map(({ kind, text }) => (kind === 'word' ? text.toUpperCase() : ''))
  if (words[0] !== 'SELECT' && words[0] !== 'WITH') return 'is not a SELECT; a pipe is one query'
  let depth = 0
  for (const [i, { kind, text }] of tokens.entries()) {
    // Other quotation marks, which an engine may know and this does not, would hide what comes behind them.
    if (kind === 'sign' && !/[ -#%-~]/.test(text)) return `has ${JSON.stringify(text)} outside of quotes`
    if (kind === 'sign' && text === ';') return 'has a ";"; a pipe is one query without one'
    if (kind === 'sign' && /['`"]/.test(text)) return `has a ${text} that is never closed`
    if (kind === 'sign' && text === '/' && tokens[i + 1]?.text === '*') return 'has a comment that is never closed'
    if (kind === 'sign' && text === '(') depth++
    if (kind === 'sign' && text === ')' && --depth < 0) return 'has a ")" without its "("'
    if (words[i] === 'INTO') return 'has INTO; a pipe writes nothing'
    // A function of that name is followed by a bracket.
    if (words[i] === 'FORMAT' && depth === 0 && tokens[i + 1]?.kind === 'word')
      return 'has a FORMAT; the gateway adds its own'
  }
  return depth === 0 ? undefined : 'has a "(" that is never closed'
}

/** The names in SQL: what may be a table among them. */
export function namesIn(sql: string): ReadonlySet<string> {
  return new Set(
    tokensOf(sql).flatMap(({ kind, text }) => {
      if (kind === 'word') return [text]
      return kind === 'quoted' ? [text.slice(1, -1)] : []
    }),
  )
}
