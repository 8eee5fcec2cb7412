const [QUOTE, OPEN, BACKSLASH, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [34, 91, 92, 93, 123, 125]
/** What follows a name, whatever space is between: its number, if it has one. */
const NUMBER_OF_NAME = /\s*:\s*(-?\d[\d.eE+-]*)?/y

/**
 * The digits of a row's numbers as they were sent: `JSON.parse` rounds whole numbers above 2^53 to what a double can hold.
 * @param row text that is a JSON object
 * @returns by name; of a name that is there twice the last, as `JSON.parse` has it
 */
export function sentDigits(row: string): ReadonlyMap<string, string> {
  const digits = new Map<string, string>()
  let depth = 0
  for (let at = 0; at < row.length; at++) {
    const char = row.charCodeAt(at)
    if (char === OPEN_OBJECT || char === OPEN) depth++
    else if (char === CLOSE_OBJECT || char === CLOSE) depth--
    else if (char === QUOTE) {
      const end = endOfText(row, at)
      NUMBER_OF_NAME.lastIndex = end
      const value = depth === 1 ? NUMBER_OF_NAME.exec(row) : null
      // A text is a name where a colon comes next.
      if (value !== null) {
        const name: string = JSON.parse(row.slice(at, end))
        if (value[1] === undefined)
          digits.delete(name) // what an earlier member of that name had is not its own
        else digits.set(name, value[1])
      }
      at = end - 1
    }
  }
  return digits
}

/** Where a text that begins at a quotation mark has ended. */
export function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === QUOTE) return at + 1
  }
  return json.length
}
