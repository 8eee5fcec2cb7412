/** An escape, a quote, or what looks like a number. No whole string: a long one would overflow the stack. */
const TOKENS = /\\.|"|-?\d[\d.eE+-]*/gs

/** Of a private use area: no text begins with it by chance. */
const MARK = '\u{F5A1C}'
const MARKED = new RegExp(`"${MARK}(-?\\d[\\d.eE+-]*)"`, 'gu')

/**
 * Reads JSON without losing digits: a number that JavaScript cannot hold is kept as a marked text, which `writeExact`
 * and `plain` write as it was.
 * @throws SyntaxError
 */
export function readExact(json: string): unknown {
  let inString = false
  const marked = json.replace(TOKENS, (token) => {
    if (token === '"') inString = !inString
    const isKept = inString || /^["\\]/.test(token) || String(Number(token)) === token
    return isKept ? token : `"${MARK}${token}"`
  })
  return JSON.parse(marked)
}

/** @param indent spaces; 0 for one line */
export const writeExact = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(MARKED, '$1')

/** The text of a scalar. */
export const plain = (value: unknown): string => String(value).replace(new RegExp(`^${MARK}`, 'u'), '')
