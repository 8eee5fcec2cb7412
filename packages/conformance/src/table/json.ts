// Engines do not agree on where JSON is broken, and some do not say. The position is found here, by scanning tokens.

const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[ \t\n\r]*/y

type Expected = 'a value' | 'a value or ]' | 'a name' | 'a name or }' | ':' | ', or }' | ', or ]' | 'the end'

/** Parses JSON; where it is invalid, the problem says at which line and column (both from 1) and what was expected. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const broken = firstBreak(text)
    // Should the scanner be more lenient than the engine, the engine's own words are still right.
    if (broken === null) return { problem: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
    const lines = text.slice(0, broken.at).split('\n')
    const column = (lines.at(-1) ?? '').length + 1
    const found =
      broken.at >= text.length ? 'the end of the file' : `"${text.slice(broken.at).split(/\s/, 1)[0]?.slice(0, 20)}"`
    return {
      problem: `invalid JSON at line ${lines.length}, column ${column}: expected ${broken.expected}, found ${found}`,
    }
  }
}

function firstBreak(text: string): { at: number; expected: Expected } | null {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let at = skip(SPACE, text, 0)
  while (at < text.length) {
    const end = skip(TOKEN, text, at)
    const next: Expected | null = end === at ? null : step(text.slice(at, end), expected, open)
    if (next === null) return { at, expected }
    expected = next
    at = skip(SPACE, text, end)
  }
  return expected === 'the end' ? null : { at, expected }
}

/** What may follow this token, or null where the token itself was not allowed. */
function step(token: string, expected: Expected, open: ('{' | '[')[]): Expected | null {
  const after = (): Expected => {
    const inside = open.at(-1)
    return inside === undefined ? 'the end' : inside === '{' ? ', or }' : ', or ]'
  }
  switch (token) {
    case '{':
    case '[':
      if (!expected.startsWith('a value')) return null
      open.push(token)
      return token === '{' ? 'a name or }' : 'a value or ]'
    case '}':
    case ']':
      if (!expected.endsWith(token)) return null
      open.pop()
      return after()
    case ':':
      return expected === ':' ? 'a value' : null
    case ',':
      if (!expected.startsWith(',')) return null
      return open.at(-1) === '{' ? 'a name' : 'a value'
  }
  if (expected.startsWith('a name')) return token.startsWith('"') ? ':' : null
  return expected.startsWith('a value') ? after() : null
}

/** Where a sticky pattern that starts at `at` ends; `at` itself where it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
