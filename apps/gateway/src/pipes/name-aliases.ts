import type { Token } from './sql-tokens.js'
import { isName, isOperand, keywordAt, nameOf } from './sql-words.js'

/**
 * Names that SQL has for nothing but a name: `billing.t AS q`, `(a) q`, `(a AS b) AS q`. Some engines put one in the place
 * of the other. A `CASE … END AS q` is among them, as `end` may be an alias itself.
 */
export function aliasesOfNames(tokens: readonly Token[]): ReadonlySet<string> {
  const all = new Set<string>()
  /** Of each bracket that is open: whether it has had nothing but names. */
  const groups: boolean[] = []
  /** Whether a name ends with the token before, and with the one before that. */
  let [isBehind, isBeforeAs] = [false, false]
  for (const [i, token] of tokens.entries()) {
    let endsName = isName(token)
    if (endsName) {
      const isNamed = keywordAt(tokens, i - 1) === 'AS' ? isBeforeAs : isBehind && isOperand(tokens, i - 1)
      if (isNamed) all.add(nameOf(token))
    } else if (token.kind === 'sign' && /^[([{]$/.test(token.text)) {
      groups.push(token.text === '(' && !isCall(tokens, i) && !isQuery(tokens, i + 1))
    } else {
      if (token.kind === 'sign' && /^[)\]}]$/.test(token.text)) endsName = groups.pop() === true
      if (!endsName && token.text !== '.' && groups.length > 0) groups[groups.length - 1] = false
    }
    isBeforeAs = isBehind
    isBehind = endsName
  }
  return all
}

/** Whether this bracket is around what a function is called with. */
function isCall(tokens: readonly Token[], at: number): boolean {
  return isName(tokens[at - 1]) && isOperand(tokens, at - 1)
}

/** Whether a query begins there, and no column of such a name: `(SELECT id FROM a)`, not `(select AS b)`. */
function isQuery(tokens: readonly Token[], at: number): boolean {
  if (!/^(SELECT|WITH|FROM)$/.test(keywordAt(tokens, at))) return false
  return keywordAt(tokens, at + 1) !== 'AS' && !/^[).]$/.test(tokens[at + 1]?.text ?? '')
}
