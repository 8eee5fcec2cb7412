/** A string, or a number: what looks like one inside a string is matched with the string. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Of a private use area: no text begins with it by chance. */
const MARK = '\u{F5A1C}'
const MARKED = new RegExp(`"${MARK}(-?\\d[\\d.eE+-]*)"`, 'gu')

/**
 * Reads JSON without losing digits: a number that JavaScript cannot hold is kept as a marked text, which `writeExact`
 * and `plain` write as it was.
 * @throws SyntaxError
 */
export function readExact(json: string): unknown {
  const marked = json.replace(TOKENS, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${MARK}${token}"`,
  )
  return JSON.parse(marked)
}

/** @param indent spaces; 0 for one line */
export const writeExact = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(MARKED, '$1')

/** The text of a scalar. */
export const plain = (value: unknown): string => String(value).replace(new RegExp(`^${MARK}`, 'u'), '')
