import type { Token } from './sql-tokens.js'
import { isName, keywordOf, nameOf } from './sql-words.js'

/** The functions that stand for the operators; `in(x, y)` too, which only its place tells from the operator. */
const IN_FUNCTION = /^(global)?(not)?(null)?in(ignoreset)?$/i
/** Functions that say FROM of a value: `extract(DAY FROM c.time)`. */
const FROM_A_VALUE = /^(extract|[lr]?trim|substr|substring|mid|overlay)$/i
/** Words behind which a value begins: an `in(` there is no operator. A column of such a name is written in quotes. */
const BEFORE_VALUE = new Set(
  `ALL AND APPLY AS BETWEEN BY CASE DISTINCT DIV ELSE FETCH FOR FROM HAVING ILIKE IN INTERVAL IS JOIN LIKE LIMIT MOD
  OFFSET ON OR PLACING PREWHERE QUALIFY REGEXP REPLACE RLIKE SELECT STEP THEN TO TOP USING WHEN WHERE WITH XOR`.split(
    /\s+/,
  ),
)
/** What ends the list of tables behind FROM. What is behind ON and USING is no list without brackets. */
const ENDS_TABLES = new Set(['SELECT', 'PREWHERE', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'ARRAY'])

/** What stands between two brackets. */
interface Group {
  /** The name before it, of what is called. */
  readonly called: string
  /** Its FROM is that of a query. */
  hasQuery: boolean
  /** It is in a list of tables: a comma begins another one. */
  isTables: boolean
}

/**
 * Why SQL names a table by its database: `FROM billing.invoices`, `x IN billing.invoices`. That there is no such database
 * now says nothing: some engines look for such a name when the query runs, and by then it may be there.
 * @returns what is wrong, after its name; undefined: no table in it is named so
 */
export function tablePlaceFault(tokens: readonly Token[]): string | undefined {
  const outermost: Group = { called: '', hasQuery: false, isTables: false }
  const groups = [outermost]
  let aliases: ReadonlySet<string> | undefined
  for (const [i, token] of tokens.entries()) {
    const group = groups.at(-1) ?? outermost
    const { kind, text } = token
    if (kind === 'sign' && /^[([{]$/.test(text)) {
      groups.push({ called: text === '(' ? nameOf(tokens[i - 1]) : '', hasQuery: false, isTables: false })
    } else if (kind === 'sign' && /^[)\]}]$/.test(text)) {
      if (groups.length > 1) groups.pop()
    } else if (isName(token)) {
      const fault = functionFault(tokens, i) ?? (isQualified(tokens, i) ? placeFault(tokens, i, group) : undefined)
      if (fault === undefined && isAlone(tokens, i) && isBehindIn(tokens, i)) {
        aliases ??= aliasesOfNames(tokens)
        if (aliases.has(nameOf(token))) return aliasFault(nameOf(token))
      }
      if (fault !== undefined) return fault
      if (kind === 'word') enter(tokens, i, group)
    }
  }
  return undefined
}

/** What a word begins or ends. One that a comma follows is a name, be it a keyword elsewhere: `FROM a AS where, b`. */
function enter(tokens: readonly Token[], at: number, group: Group): void {
  if (tokens[at + 1]?.text === ',') return
  const word = keywordAt(tokens, at)
  if (word === 'SELECT' || word === 'WITH') group.hasQuery = true
  if (beginsTable(tokens, at, group)) group.isTables = true
  else if (ENDS_TABLES.has(word) && keywordAt(tokens, at - 1) !== 'AS') group.isTables = false
}

/** Behind the FROM of a query, and JOIN. */
function beginsTable(tokens: readonly Token[], at: number, { called, hasQuery }: Group): boolean {
  const before = keywordAt(tokens, at - 1)
  switch (keywordAt(tokens, at)) {
    case 'JOIN':
      return before !== 'ARRAY' || keywordAt(tokens, at - 2) === 'AS'
    case 'FROM':
      return !FROM_A_VALUE.test(called) || hasQuery || tokens[at - 1]?.text === '('
    default:
      return false
  }
}

/** What is wrong with `a.b`, whose `a` is there: that it may be a table. */
function placeFault(tokens: readonly Token[], at: number, group: Group): string | undefined {
  const name = nameOf(tokens[at])
  const whole = `${name}.${nameOf(tokens[at + 2]) || '*'}`
  const mayBe = `where engines may take it for a table of the database ${name}`
  // Also `SELECT is DISTINCT FROM a.b`, of a column `is`.
  if (keywordAt(tokens, at - 1) === 'FROM' && keywordAt(tokens, at - 2) === 'DISTINCT')
    return `has DISTINCT FROM ${whole}, ${mayBe}; a column is written in brackets, (${whole})`
  if (beginsTable(tokens, at - 1, group) || (group.isTables && tokens[at - 1]?.text === ','))
    return `names the database ${name}; a pipe reads the data sources of its data set, by their names alone`
  if (!isBehindIn(tokens, at)) return undefined
  return `has ${whole} behind IN, ${mayBe}; write IN (SELECT … FROM name) for a data source, and = for a column`
}

/** Whether all that is behind IN is a name, in brackets or without, and not one of many: `IN a.b`, `IN ((a.b))`. */
function isBehindIn(tokens: readonly Token[], at: number): boolean {
  let before = at - 1
  while (tokens[before]?.text === '(') before--
  if (keywordAt(tokens, before) !== 'IN') return false
  let end = at + 1
  while (tokens[end]?.text === '.') end += 2
  const isOneOfMany = before < at - 1 && tokens[end]?.text !== ')' && !isName(tokens[end])
  return !isOneOfMany
}

const isAlone = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.text !== '.' && !/^[.(]$/.test(tokens[at + 1]?.text ?? '')

const aliasFault = (name: string): string =>
  `has ${name} behind IN, which stands for another name there, where engines may take that for a table; write IN (SELECT … FROM name) for a data source, and = for a column`

/** Names that SQL has for nothing but a name: `billing.t AS q`, `(a) q`. Some engines put one in the place of the other. */
function aliasesOfNames(tokens: readonly Token[]): ReadonlySet<string> {
  const all = new Set<string>()
  for (const [i, token] of tokens.entries()) {
    if (!isName(token)) continue
    const isNamed = keywordAt(tokens, i - 1) === 'AS'
    if ((isNamed || isOperand(tokens, i - 1)) && isNameAt(tokens, isNamed ? i - 2 : i - 1)) all.add(nameOf(token))
  }
  return all
}

/** Whether what ends there is a name, in brackets or without, and no call. */
function isNameAt(tokens: readonly Token[], end: number): boolean {
  let at = end
  while (tokens[at]?.text === ')') at--
  const brackets = end - at
  if (!isName(tokens[at]) || keywordAt(tokens, at) === 'END') return false
  while (tokens[at - 1]?.text === '.') at -= 2
  for (let i = 1; i <= brackets; i++) if (tokens[at - i]?.text !== '(') return false
  return brackets === 0 || !isName(tokens[at - brackets - 1]) || !isOperand(tokens, at - brackets - 1)
}

/** `in(x, a.b)`: what is a table there the engine alone knows. */
function functionFault(tokens: readonly Token[], at: number): string | undefined {
  const name = nameOf(tokens[at])
  if (tokens[at + 1]?.text !== '(' || !IN_FUNCTION.test(name)) return undefined
  let before = at - 1
  while (/^(NOT|GLOBAL)$/.test(keywordAt(tokens, before))) before--
  if (keywordAt(tokens, at) === 'IN' && isOperand(tokens, before)) return undefined
  return `calls ${name} as a function; write x IN (…), or x NOT IN (…)`
}

/** Whether a value ends there, as one does before an operator. */
function isOperand(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  if (token.kind === 'sign') return /^[)\]}]$/.test(token.text)
  if (token.kind !== 'word') return keywordAt(tokens, at - 1) !== 'TOP'
  return tokens[at - 1]?.text === '.' || !BEFORE_VALUE.has(token.text.toUpperCase())
}

function isQualified(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]?.text === '.' && tokens[at - 1]?.text !== '.'
}

/** Behind a dot is a column, whatever it is called. */
const keywordAt = (tokens: readonly Token[], at: number): string =>
  tokens[at - 1]?.text === '.' ? '' : keywordOf(tokens[at])
