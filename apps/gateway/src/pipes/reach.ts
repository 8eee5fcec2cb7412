import { undeclaredFault } from './registry.js'
import type { Token } from './sql-tokens.js'
import { isName, keywordOf, nameOf } from './sql-words.js'
import { tablePlaceFault } from './table-places.js'

/** What there is on an engine beside the tables of one data set, as the engine itself lists it. */
export interface Surroundings {
  readonly databases: readonly string[]
  readonly tableFunctions: readonly string[]
}

/** Asks an engine of any version for its {@link Surroundings}. */
export const SURROUNDINGS_SQL: string =
  "SELECT 'database' AS kind, name FROM system.databases " +
  "UNION ALL SELECT 'function' AS kind, name FROM system.table_functions"

/** An answer to {@link SURROUNDINGS_SQL}. */
export function surroundingsOf(rows: readonly { readonly kind: string; readonly name: string }[]): Surroundings {
  const of = (kind: string) => rows.filter((it) => it.kind === kind).map(({ name }) => name)
  return { databases: of('database'), tableFunctions: of('function') }
}

/** Table functions that make their rows up, read nothing, and are open to who has no rights but to read. */
const PURE = /^(numbers(_mt)?|primes|generate_?series|generaterandom|values|null|view|viewifpermitted)$/
/**
 * Functions that read what no table of the data set is: files, dictionaries, tables named by a text, settings, models,
 * services. The engine lists them among all others, so they are listed here.
 */
const REACHING: RegExp = new RegExp(
  `^(${[
    ...['file', 'dict(get|has|isin).*', 'joinget.*', 'hascolumnintable', 'get(server|mergetree)?setting.*', 'getmacro'],
    ...[
      'catboostevaluate',
      'modelevaluate',
      'naivebayes.*',
      'showcertificate',
      'addressto.*',
      'region(hierarchy|in|to).*',
    ],
    ...['getclienthttpheader', 'getmaxtablenamelengthfordatabase', 'generateserialid', 'reversednsquery'],
    '(current|default|enabled)(profiles|roles)',
    'ai(chat|classify|complete|embed|extract|filter|generate|redact|sentiment|summarize|translate)[a-z]*',
  ].join('|')})$`,
)
/** `file`. */
const SHORTEST = 4
/** Statements and clauses of which the first word would be a name elsewhere; that one is written in quotes. */
const REFUSED: Readonly<Record<string, string>> = {
  SETTINGS: 'a pipe runs with the settings of the gateway',
  EXPLAIN: 'a pipe is a SELECT',
  DESCRIBE: 'a pipe is a SELECT',
  SHOW: 'a pipe is a SELECT',
}
/** The databases of all data sets, there or not: that one is there is not to be found out. */
const DATA_SETS = /^s_.*__|^s_h[0-9a-f]{64}/

/**
 * Why the SQL of a pipe cannot be told to stay within its data set, whatever there is beside it.
 * @param typeOf the type of a parameter of the pipe; undefined: it has none of that name
 * @returns what is wrong, after its name; undefined: nothing
 */
export function plainFault(
  tokens: readonly Token[],
  typeOf: (parameter: string) => string | undefined,
): string | undefined {
  for (const [i, token] of tokens.entries()) {
    const { kind, text } = token
    const why = REFUSED[keywordOf(token)]
    if (why !== undefined) return `has ${text}; ${why}. A column of that name is written \`${text}\``
    if (text === '{' && kind === 'sign') {
      const [name, colon, type, end] = tokens.slice(i + 1, i + 5)
      const isPlaceholder = name?.kind === 'word' && colon?.text === ':' && type?.kind === 'word' && end?.text === '}'
      if (!isPlaceholder) return 'has a "{" that begins no placeholder of a parameter, as {name:Type}'
      const fault = undeclaredFault(name.text, type.text, typeOf(name.text))
      if (fault !== undefined) return fault
    }
    // `APPLY(file)` and `arrayMap(file, x)` call it as well: nothing of that name stands alone.
    const isAlone = text.length >= SHORTEST && isName(token) && (tokens[i - 1]?.text !== '.' || isCall(tokens, i))
    if (isAlone && REACHING.test(nameOf(token).toLowerCase()))
      return `has ${text}, a function that may read what is no data source of its data set; a column is written with its table, clicks.${text}`
  }
  return tablePlaceFault(tokens)
}

/**
 * Why SQL that {@link plainFault} has nothing to say of leaves its data set on this engine.
 * @returns what is wrong, after its name; undefined: it stays within it
 */
export function reachFault(tokens: readonly Token[], { databases, tableFunctions }: Surroundings): string | undefined {
  const others = new Set(databases.map((it) => it.toLowerCase()))
  const functions = new Set(tableFunctions.map((it) => it.toLowerCase()).filter((it) => !PURE.test(it)))
  for (const [i] of tokens.entries()) {
    const [isCalled, isDatabase] = [isCall(tokens, i), isQualifier(tokens, i)]
    if (!isCalled && !isDatabase) continue
    const name = nameOf(tokens[i])
    if (isCalled && functions.has(name.toLowerCase()))
      return `calls ${name}, which reads what is no data source of its data set`
    if (isDatabase && (others.has(name.toLowerCase()) || DATA_SETS.test(name)))
      return `names the database ${name}; a pipe reads the data sources of its data set, by their names alone`
  }
  return undefined
}

function isCall(tokens: readonly Token[], at: number): boolean {
  return isName(tokens[at]) && tokens[at + 1]?.text === '('
}

/** `a` of `a.b`, and of `a.*`. */
function isQualifier(tokens: readonly Token[], at: number): boolean {
  return isName(tokens[at]) && tokens[at + 1]?.text === '.' && tokens[at - 1]?.text !== '.'
}
