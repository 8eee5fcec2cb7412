/** A place in a text, both counted from 1. */
export interface LineColumn {
  readonly line: number
  readonly column: number
}

export function lineColumn(text: string, offset: number): LineColumn {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}
