/**
 * What SQL is made of, as far as it is looked at here. Its text is as the engine gets it, which every version reads alike:
 * a name is in backquotes or bare, a text has no quotation mark, brace or control character but as `\xHH`.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'sign'
  readonly text: string
}

/** SQL as it was read: up to what is wrong, where something is. */
export interface ReadSql {
  readonly tokens: readonly Token[]
  /** What is wrong, after the name of the SQL: an engine may read it otherwise. */
  readonly fault?: string
}

const SPACE = /[ \t\n\v\f\r]+|--[^\n]*|\/\*[\s\S]*?\*\//
const TEXT = /'(?:[^'\\]|\\[\s\S]|'')*'/
const NAME = /`[^`]*`|"[^"]*"/
const WORD = /[A-Za-z_]\w*/
const NUMBER = /0[xX][\da-fA-F]+|0[bB][01]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/
const FRACTION = /\.\d+(?:[eE][+-]?\d+)?/
const SIGN = /->|\|\||<=>|<=|<>|>=|!=|==|::|[()[\]{},.+\-*/%=<>?:]/
const PIECES = [SPACE, TEXT, NAME, WORD, NUMBER, FRACTION, SIGN]
/** One of these, each a group. */
const PIECE: RegExp = new RegExp(PIECES.map(({ source }) => `(${source})`).join('|'), 'y')

/** What a name in quotes cannot have: engines would end it elsewhere, or read it as something else. */
const UNFIT = /[\\'"`{}\p{Cc}]/u
/** What a text may have and is not written as it is. */
const MARKED = /[^ !#-&(-[\]-_a-z|~\u00a0-\uffff]/
const CLOSED = /^[)\]}]$/

/**
 * Takes SQL apart. What an engine may read in another way than this, or than another engine, is a fault: comments in
 * comments, `//`, `#`, `$tag$`, quotes and spaces of other scripts. Comments and spaces are left out.
 */
export function readSql(sql: string): ReadSql {
  const tokens: Token[] = []
  for (let at = 0; at < sql.length; ) {
    const plain = plainToken(sql, at)
    if (plain !== undefined) {
      tokens.push(plain)
      at += plain.text.length
      continue
    }
    PIECE.lastIndex = at
    const piece = PIECE.exec(sql)
    const read = piece && pieceOf(piece, tokens.at(-1))
    const fault = read?.fault ?? (read?.token || !read ? gapFault(sql, at, read) : undefined)
    if (fault !== undefined) return { tokens, fault }
    if (read?.token) tokens.push(read.token)
    at += read?.length ?? 1
  }
  return { tokens }
}

/** SQL of these tokens alone, on one line. */
export function sqlOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ')
}

/** Signs that are no part of another one, most of what SQL is made of beside words. */
const ALONE = new Map<string, Token>(Array.from(',()[]{}', (text) => [text, { kind: 'sign', text }]))

/** A word or a sign that nothing is to be said of; undefined: there is something else. */
function plainToken(sql: string, at: number): Token | undefined {
  if (!isWordCode(sql.charCodeAt(at))) return ALONE.get(sql.charAt(at))
  if (isDigit(sql.charCodeAt(at))) return undefined
  let end = at + 1
  while (isWordCode(sql.charCodeAt(end))) end++
  return /['"`]/.test(sql.charAt(end)) ? undefined : { kind: 'word', text: sql.slice(at, end) }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** As `\w`. */
function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || isDigit(code)
}

/** What stands somewhere in SQL. */
interface Piece {
  /** Undefined: a comment, or spaces. */
  readonly token?: Token
  readonly length: number
  readonly fault?: string | undefined
}

function pieceOf([source, space, text, name, word, number, fraction]: RegExpExecArray, before?: Token): Piece {
  const { length } = source
  if (space !== undefined) return { length, fault: commentFault(space) }
  if (text !== undefined) return { ...plainText(text.slice(1, -1)), length }
  if (word !== undefined) return { token: { kind: 'word', text: word }, length }
  if (name !== undefined) {
    const inner = name.slice(1, -1)
    const fault = UNFIT.test(inner) ? `has the name ${name}; write it without quotes, braces and \\` : undefined
    return { token: { kind: 'quoted', text: `\`${inner}\`` }, length, fault }
  }
  if (number !== undefined) {
    // Of a tuple: `x.1.2` has two.
    const digits = before?.text === '.' ? (/^\d+/.exec(number)?.[0] ?? number) : number
    return { token: { kind: 'number', text: digits }, length: digits.length }
  }
  if (fraction === undefined) return { token: { kind: 'sign', text: source }, length }
  const isBehindValue = before !== undefined && (before.kind !== 'sign' || CLOSED.test(before.text))
  if (isBehindValue) return { token: { kind: 'sign', text: '.' }, length: 1 }
  return { token: { kind: 'number', text: `0${fraction}` }, length }
}

/** A text as every engine reads it. What is escaped stays so, and each mark that begins or ends something becomes so. */
function plainText(inner: string): Pick<Piece, 'token' | 'fault'> {
  if (!MARKED.test(inner)) return { token: { kind: 'text', text: `'${inner}'` } }
  let fault: string | undefined
  const text = inner.replace(/\\x[\da-fA-F]{2}|\\([\s\S])|''|['"`{}\p{Cc}]/gu, (it, escaped: string | undefined) => {
    if (escaped === undefined) return it.startsWith('\\') ? it : hex(it === "''" ? "'" : it)
    if (/[\\'"`{}]/.test(escaped)) return hex(escaped)
    if (escaped === 'x' || !/[!-~]/.test(escaped)) fault = `has a text with ${JSON.stringify(it)}; write \\xHH, or \\\\`
    return it
  })
  return { token: { kind: 'text', text: `'${text}'` }, fault }
}

const HEX = new Map<string, string>()

/** Of ASCII, and of the control characters behind it: 160 at most. */
function hex(character: string): string {
  const known = HEX.get(character)
  if (known !== undefined) return known
  const bytes = Array.from(Buffer.from(character, 'utf8'), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  HEX.set(character, bytes.join(''))
  return bytes.join('')
}

function commentFault(space: string): string | undefined {
  // Be it one whose star ends the comment: `/* /*/`.
  if (!space.startsWith('/*') || !space.includes('/*', 2)) return undefined
  return 'has a comment in a comment, which engines end at different places; take one out'
}

/** What cannot stand where it does: nothing that is known, or two that some engine may read as one. */
function gapFault(sql: string, at: number, read: Piece | null): string | undefined {
  if (sql.startsWith('/*', at)) return 'has a comment that is never closed'
  if (sql.startsWith('//', at)) return 'has "//" outside of quotes, with which some engines begin a comment; write --'
  const character = String.fromCodePoint(sql.codePointAt(at) ?? 0)
  if (!read?.token) {
    if (character === ';') return 'has a ";"; a pipe is one query without one'
    if (/['`"]/.test(character)) return `has a ${character} that is never closed`
    return `has ${JSON.stringify(character)} outside of quotes; leave it out`
  }
  const { kind, text } = read.token
  const next = sql[at + read.length] ?? ''
  if (kind === 'number' && /[\w$]/.test(next)) return `has ${text}${next}, which is no number`
  if ((kind === 'word' || kind === 'quoted') && /['"`]/.test(next))
    return `has ${text}${next}; put a space between, or leave one out`
  return undefined
}
