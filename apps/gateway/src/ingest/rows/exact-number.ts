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
    const char = row[at]
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (char === '"') {
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
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at + 1
  }
  return json.length
}

/** No column has values in values. What is within these is cheap to parse all the same. */
const [MOST_DEPTH, SHORT] = [100, 10_000]

/** Whether JSON has so many values within each other that to parse it would hold up everybody: five million take seconds. */
export function isDeep(json: string): boolean {
  if (json.length <= SHORT) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '"') at = endOfText(json, at) - 1
    else if (char === '}' || char === ']') depth--
    else if ((char === '{' || char === '[') && ++depth > MOST_DEPTH) return true
  }
  return false
}
