import type { ParseError } from 'jsonc-parser'
import { DocumentError } from '../errors/document-error.js'
import { lineColumn } from './line-column.js'

/** What a document says, before it is known to be OpenAPI. */
interface ParsedText {
  readonly value: unknown
  /** Whether a JSON parser read it. */
  readonly json: boolean
}

/**
 * JSON where the text begins like it, else YAML. The YAML parser is loaded on first use.
 *
 * @throws DocumentError with line and column where it is not well formed
 */
export async function parseText(source: string, text: string): Promise<ParsedText> {
  if (!/^\s*[{[]/.test(text) || /\.ya?ml$/i.test(source)) return { value: await parseYaml(source, text), json: false }
  try {
    return { value: JSON.parse(text), json: true }
  } catch (cause) {
    const { parse, printParseErrorCode } = await import('jsonc-parser')
    const errors: ParseError[] = []
    parse(text, errors, { disallowComments: true })
    // The parser that finds the place is not the one that refused: where it sees nothing the message has to do.
    const first = errors[0]
    if (first === undefined) throw new DocumentError(`not JSON: ${(cause as SyntaxError).message}`, { source }, cause)
    const problem = printParseErrorCode(first.error).replace(/\B([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    throw new DocumentError(`not JSON: ${problem}`, { source, ...lineColumn(text, first.offset) }, cause)
  }
}

async function parseYaml(source: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  // YAML 1.2 has no merge keys; documents written for 1.1 do.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true, strict: false })
  const error = document.errors[0]
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    const problem = error.code === 'MULTIPLE_DOCS' ? 'a second document begins here; keep one' : error.message
    throw new DocumentError(`not YAML: ${problem}`, { source, line, column: col }, error)
  }
  try {
    // Through JSON: no dates, no big integers, no value that is its own part.
    return JSON.parse(JSON.stringify(document.toJS()) ?? 'null')
  } catch (cause) {
    throw new DocumentError(
      `YAML that JSON cannot write: ${(cause as Error).message.split('\n')[0]}`,
      { source },
      cause,
    )
  }
}
