/** Spaces and comments; a text; a name in quotes; a placeholder; a word or a number; any other sign. */
const PIECES =
  /(\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|(\{[^{}]*\})|\w[\w.]*|[\s\S]/g
const PLACEHOLDER = /^\{\s*(\w+)\s*:([^{}]+)\}$/
/** What a number follows that is nothing but a number. */
const OF_NUMBER = /^(LIMIT|OFFSET|SAMPLE|TOP)$/i

/** A part of SQL as it is written. */
export interface SqlPiece {
  readonly text: string
  /** `{name:Type}`. */
  readonly placeholder?: { readonly name: string; readonly type: string }
  /**
   * Whether a placeholder is where old servers take a literal alone: behind LIMIT, OFFSET, SAMPLE and TOP, and among the
   * parameters of an aggregate function, `quantile({level:Float64})(delay)`.
   */
  isBare: boolean
}

/** Takes SQL apart; together its pieces are it. */
export function piecesOf(sql: string): readonly SqlPiece[] {
  const all: SqlPiece[] = []
  /** Those that are no spaces and comments. */
  const pieces: SqlPiece[] = []
  for (const [text, space, braces] of sql.matchAll(PIECES)) {
    const [, name, type] = braces === undefined ? [] : (PLACEHOLDER.exec(braces) ?? [])
    const isPlaceholder = name !== undefined && type !== undefined
    const piece = { text, ...(isPlaceholder && { placeholder: { name, type: type.trim() } }), isBare: false }
    all.push(piece)
    if (space === undefined) pieces.push(piece)
  }
  markBare(pieces)
  return all
}

function markBare(pieces: readonly SqlPiece[]): void {
  /** The placeholders of each bracket that is open. */
  const open: SqlPiece[][] = []
  for (const [i, piece] of pieces.entries()) {
    if (piece.placeholder !== undefined) {
      open.at(-1)?.push(piece)
      piece.isBare = isBehindLimit(pieces, i)
    } else if (piece.text === '(') {
      open.push([])
    } else if (piece.text === ')') {
      const own = open.pop() ?? []
      if (pieces[i + 1]?.text === '(') for (const it of own) it.isBare = true
    }
  }
}

/** `LIMIT {n}`, `LIMIT 1, {n}`, `SAMPLE 1 / {n}`. */
function isBehindLimit(pieces: readonly SqlPiece[], at: number): boolean {
  const [first, number, sign] = [3, 2, 1].map((back) => pieces[at - back]?.text ?? '')
  if (OF_NUMBER.test(sign ?? '')) return true
  return /^(,|\/)$/.test(sign ?? '') && OF_NUMBER.test(first ?? '') && /^[\d{]/.test(number ?? '')
}
