import { literal } from '../nodes/sql/literal.js'

/**
 * The statement that prepares a session for one query: its name, by which it can be killed, and its values.
 * `SET log_comment='q7', param_origin='\x41\x54\x4c'`
 *
 * Values are bound to the session, not through chdb's queryBindAsync: that one sends bound queries of the whole
 * process through a single chain, so a slow one would hold up all others. The query keeps its typed placeholders; every
 * byte of a value is written as `\xHH`, so none can end the literal it stands in. A name in a comment of the query
 * would not do: the engine drops comments when it fills placeholders in.
 *
 * @param id letters and digits
 */
export function bindStatement(id: string, params: Readonly<Record<string, string>>): string {
  const settings = [`log_comment='${checked(id)}'`]
  for (const [name, value] of Object.entries(params)) {
    settings.push(`param_${checked(name)}=${literal(tsvEscaped(value))}`)
  }
  return `SET ${settings.join(', ')}`
}

/** Stops the query that was prepared under this name. ASYNC: waiting for its end here could take for ever. */
export function killStatement(id: string): string {
  return `KILL QUERY WHERE Settings['log_comment'] = '${checked(id)}' ASYNC`
}

function checked(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError(`"${name}" is not a name: a-z, 0-9 and _ only`)
  return name
}

const TSV_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** The engine reads a parameter's value by the rules of TSV, in which a tab or a line feed would end it. */
function tsvEscaped(value: string): string {
  return Array.from(value, (character) => TSV_ESCAPES[character] ?? character).join('')
}
