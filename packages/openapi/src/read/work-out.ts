import { DocumentError } from '../errors/document-error.js'
import { locate } from '../source/locate.js'
import { parseText } from '../source/parse-text.js'
import { type Compiled, compileDocument } from './compile-document.js'
import { Broken } from './place.js'

/** A document as it was written, and what was worked out of it. */
export interface WorkedOut {
  readonly raw: unknown
  readonly compiled: Compiled
}

/**
 * From a document's text to its operations.
 *
 * @param source its public name, the base of relative servers where it is a URL
 * @param check looks at the document as it was written; what it throws as Broken gets its line and column
 * @throws DocumentError with line and column
 */
export async function workOut(
  source: string,
  text: string,
  isUrl: boolean,
  check: (root: unknown) => void = () => {},
): Promise<WorkedOut> {
  const { value, json } = await parseText(source, text)
  try {
    const compiled = compileDocument(value, isUrl ? new URL(source) : null)
    check(value)
    return { raw: value, compiled }
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentError('is nested too deeply to be read', { source }, error)
    if (!(error instanceof Broken)) throw error
    const place = await locate(text, json, error.pointer)
    throw new DocumentError(error.message, { source, pointer: error.pointer, ...place })
  }
}
