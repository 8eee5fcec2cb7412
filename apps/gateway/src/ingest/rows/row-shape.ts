import { endOfText } from './exact-number.js'

const [QUOTE, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 93, 123, 125]
/** No column has values in values. */
const MOST_DEPTH = 100

/**
 * Whether JSON is anything that a row might be. To parse millions of values, within each other or side by side, takes
 * seconds; to count them, so far as they may be there, a thousandth of that.
 * @param columns of its data source: a row has a value for each of them at most, be some there twice or of no column
 * @returns what is wrong, after its name; undefined: it is soon parsed
 */
export function shapeFault(json: string, columns: number): string | undefined {
  const most = 2 * columns + 100
  if (json.length <= most) return undefined // each begins with a sign of its own
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === QUOTE) at = endOfText(json, at) - 1
    else if (char === CLOSE_OBJECT || char === CLOSE) depth--
    else if (char === COMMA || char === OPEN_OBJECT || char === OPEN) {
      if (++values > most) return `has more than ${most} values; send one for each column`
      if (char !== COMMA && ++depth > MOST_DEPTH) return 'is nested too deep; send values alone'
    }
  }
  return undefined
}
