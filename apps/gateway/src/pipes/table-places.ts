import { aliasesOfNames } from './name-aliases.js'
import type { Token } from './sql-tokens.js'
import { isName, isOperand, keywordAt, nameOf } from './sql-words.js'

/** The functions that stand for the operators; `in(x, y)` too, which only its place tells from the operator. */
const IN_FUNCTION = /^(global)?(not)?(null)?in(ignoreset)?$/i
/** Functions that say FROM of a value: `extract(DAY FROM c.time)`. */
const FROM_A_VALUE = /^(extract|[lr]?trim|substr|substring|mid|overlay)$/i
/** What ends the list of tables behind FROM. What is behind ON and USING is no list without brackets. */
const ENDS_TABLES = new Set(['SELECT', 'PREWHERE', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'ARRAY'])

/** What stands between two brackets. */
interface Group {
  /** The name before it, of what is called. */
  readonly called: string
  /** It is that of `TOP (1)`, or `DISTINCT ON (id)`. */
  readonly isBeforeColumns: boolean
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
  const outermost: Group = { called: '', isBeforeColumns: false, hasQuery: false, isTables: false }
  const groups = [outermost]
  let aliases: ReadonlySet<string> | undefined
  /** Behind the brackets of `TOP (1)` and `DISTINCT ON (id)`, where the first column begins. */
  let columnsAt: number | undefined
  for (const [i, token] of tokens.entries()) {
    const group = groups.at(-1) ?? outermost
    const { kind, text } = token
    if (kind === 'sign' && /^[([{]$/.test(text)) {
      const called = text === '(' ? nameOf(tokens[i - 1]) : ''
      groups.push({ called, isBeforeColumns: isBeforeColumns(tokens, i), hasQuery: false, isTables: false })
    } else if (kind === 'sign' && /^[)\]}]$/.test(text)) {
      if (group.isBeforeColumns) columnsAt = i + 1
      if (groups.length > 1) groups.pop()
    } else if (isName(token)) {
      const fault =
        functionFault(tokens, i, columnsAt) ?? (isQualified(tokens, i) ? placeFault(tokens, i, group) : undefined)
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
  else if (ENDS_TABLES.has(word) && canEndTables(tokens, at)) group.isTables = false
}

/** Where a value is to begin, such a word is a column: `ON where = 1`. But for `UNION ALL SELECT`. */
function canEndTables(tokens: readonly Token[], at: number): boolean {
  return isOperand(tokens, at - 1) || /^(ALL|DISTINCT)$/.test(keywordAt(tokens, at - 1))
}

/** Behind the FROM of a query, and JOIN. */
function beginsTable(tokens: readonly Token[], at: number, { called, hasQuery }: Group): boolean {
  switch (keywordAt(tokens, at)) {
    case 'JOIN':
      // Also `ARRAY JOIN array JOIN b`, of a column `array`.
      return keywordAt(tokens, at - 1) !== 'ARRAY' || !isOperand(tokens, at - 2)
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

/** `in(x, a.b)`: what is a table there the engine alone knows. */
function functionFault(tokens: readonly Token[], at: number, columnsAt: number | undefined): string | undefined {
  const name = nameOf(tokens[at])
  if (tokens[at + 1]?.text !== '(' || !IN_FUNCTION.test(name)) return undefined
  let before = at - 1
  while (/^(NOT|GLOBAL)$/.test(keywordAt(tokens, before))) before--
  if (keywordAt(tokens, at) === 'IN' && before + 1 !== columnsAt && isOperand(tokens, before)) return undefined
  return `calls ${name} as a function; write x IN (…), or x NOT IN (…)`
}

function isBeforeColumns(tokens: readonly Token[], at: number): boolean {
  const word = keywordAt(tokens, at - 1)
  return word === 'TOP' || (word === 'ON' && keywordAt(tokens, at - 2) === 'DISTINCT')
}

function isQualified(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]?.text === '.' && tokens[at - 1]?.text !== '.'
}
