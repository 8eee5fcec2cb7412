/**
 * A text as a literal of SQL: `'\x41\x54\x4c'`. Every byte of it is written as `\xHH`, so none can end the literal that it
 * stands in, whatever the server's version takes for an escape.
 */
export function literal(text: string): string {
  return `'${Array.from(Buffer.from(text, 'utf8'), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`
}
