import { literal } from '../sql/literal.js'

/** A text, a quoted name or a comment, which stay; or a placeholder. */
const PIECES =
  /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*(\w+)\s*:\s*([^{}]+?)\s*\}/g
const WHOLE = /^U?Int(8|16|32|64)$/

/**
 * SQL with literals instead of its placeholders, for servers that know no parameters. Types are of our SQL, values of
 * a caller: a whole number is written as its digits, everything else as escaped bytes that are cast to the type.
 * @throws TypeError for a placeholder without a value, and a whole number that is none
 */
export function inlineParameters(sql: string, params: Readonly<Record<string, string>>): string {
  return sql.replace(PIECES, (piece, name: string | undefined, type = '') => {
    if (name === undefined) return piece
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw new TypeError(`parameter "${name}" has no value`)
    if (!WHOLE.test(type)) return `CAST(${literal(value)} AS ${type})`
    if (!/^-?\d{1,20}$/.test(value)) throw new TypeError(`parameter "${name}" is no whole number`)
    // Bare: LIMIT takes nothing else. Behind a minus another one would begin a comment.
    return value.startsWith('-') ? ` ${value}` : value
  })
}
