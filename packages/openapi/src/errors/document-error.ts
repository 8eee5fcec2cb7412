/** Where a document is wrong. */
interface DocumentPlace {
  /** The file, the URL without its query and credentials, or `<stdin>`. */
  readonly source: string
  /** As a JSON pointer: `/paths/~1pets/get/parameters/0`; null where it is not about one place. */
  readonly pointer?: string | null
  /** From 1; null where it could not be found. */
  readonly line?: number | null
  readonly column?: number | null
}

/** A document cannot be read: not there, not well formed, or not an OpenAPI document that could be proceeded with. */
export class DocumentError extends Error {
  readonly source: string
  readonly pointer: string | null
  readonly line: number | null
  readonly column: number | null

  constructor(problem: string, { source, pointer = null, line = null, column = null }: DocumentPlace, cause?: unknown) {
    const place = line === null ? source : `${source}:${line}:${column ?? 1}`
    super(`${place}: ${pointer === null ? '' : `#${pointer}: `}${problem}`, cause === undefined ? undefined : { cause })
    this.name = 'DocumentError'
    this.source = source
    this.pointer = pointer
    this.line = line
    this.column = column
  }
}
